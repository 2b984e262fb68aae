// Which tabs of a session show it, and which wait for one of those to close.

/** What a tab is told when it comes. */
export type Answer = "show" | "wait";

/** Tabs keeps the tabs of one session. T stands for a tab, and is compared by identity. */
export class Tabs<T> {
  readonly #showing = new Set<T>(); // in the order in which they came
  readonly #waiting = new Set<T>();

  /** showing counts the tabs that show the session. */
  get showing(): number {
    return this.#showing.size;
  }

  /** waiting are the tabs that wait. */
  get waiting(): Iterable<T> {
    return this.#waiting;
  }

  /** front is the tab that has shown the session longest. */
  get front(): T | undefined {
    return this.#showing.values().next().value;
  }

  /** join takes a tab in. A polite one waits while others show the session. A tab may join again. */
  join(tab: T, polite: boolean): Answer {
    this.leave(tab);
    const answer = polite && this.#showing.size > 0 ? "wait" : "show";
    (answer === "show" ? this.#showing : this.#waiting).add(tab);
    return answer;
  }

  /** leave forgets a tab. It may be called more than once. */
  leave(tab: T): void {
    this.#showing.delete(tab);
    this.#waiting.delete(tab);
  }
}
