// Which tabs of a session show it, and which wait for one of those to close.

/** Answer is the reply to a tab that joins. */
export type Answer = "show" | "wait";

/** Tabs tracks the tabs of one session. T is a tab, compared by identity. */
export class Tabs<T> {
  readonly #showing = new Set<T>(); // in order of joining
  readonly #waiting = new Set<T>();

  /** showing is the number of tabs that show the session. */
  get showing(): number {
    return this.#showing.size;
  }

  get waiting(): Iterable<T> {
    return this.#waiting;
  }

  /** front is the tab that has shown the session longest. */
  get front(): T | undefined {
    return this.#showing.values().next().value;
  }

  /** join adds a tab. A polite one waits while others show the session. A tab may join again. */
  join(tab: T, polite: boolean): Answer {
    this.leave(tab);
    const answer = polite && this.#showing.size > 0 ? "wait" : "show";
    (answer === "show" ? this.#showing : this.#waiting).add(tab);
    return answer;
  }

  /** leave removes a tab. Repeated calls are harmless. */
  leave(tab: T): void {
    this.#showing.delete(tab);
    this.#waiting.delete(tab);
  }
}
