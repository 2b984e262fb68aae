// Which keys and mouse buttons the person holds.

const FORGOTTEN = 5000; // milliseconds; a key that is held repeats long before

/**
 * Held notes what is pressed in this document until it is released. Another document may get the focus meanwhile, and with it the event of the release, so a press counts only for five seconds after its last event.
 */
export class Held {
  readonly #last = new Map<string, number>(); // when the last event of each was, by the page's clock
  readonly #released: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** released is called when something is no longer held. */
  constructor(released: () => void) {
    this.#released = released;
  }

  /** any reports whether anything is held. */
  get any(): boolean {
    return this.#last.size > 0;
  }

  /** press notes that something is pressed, or still pressed. */
  press(what: string): void {
    this.#last.set(what, performance.now());
    this.#forget();
  }

  release(what: string): void {
    this.#last.delete(what);
    this.#released();
  }

  clear(): void {
    this.#last.clear();
    this.#released();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    const before = this.#last.size;
    const now = performance.now();
    for (const [what, last] of this.#last) if (now - last >= FORGOTTEN) this.#last.delete(what);
    if (this.any) this.#timer = setTimeout(() => this.#forget(), FORGOTTEN - (now - Math.min(...this.#last.values())));
    if (this.#last.size < before) this.#released();
  }
}
