// Which tabs of a session show it, and which wait for one of those to close.

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

  /** join adds a tab, and reports whether it shows the session: a polite one waits while others do. A tab may join again. */
  join(tab: T, polite: boolean): boolean {
    this.leave(tab);
    const shows = !polite || this.#showing.size === 0;
    (shows ? this.#showing : this.#waiting).add(tab);
    return shows;
  }

  /** leave removes a tab. Repeated calls are harmless. */
  leave(tab: T): void {
    this.#showing.delete(tab);
    this.#waiting.delete(tab);
  }
}
