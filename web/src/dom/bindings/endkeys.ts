// The keys that scroll to the start or the end. Browsers animate that, and stop halfway when a
// script scrolls, as a list does that keeps its rows in place while others come. Chromium animates
// in another process, whose last position may come after that of the script, and replace it.

import { isTextField } from "../../textfield";
import { scrollerOf } from "../viewport";

const CANCEL = ["keydown", "wheel", "pointerdown", "touchstart"];

const LATE = 500; // milliseconds for which the browser may still move what has arrived

/** EndKeys knows whether the person is scrolling to the start or the end of what an element is in. */
export class EndKeys {
  readonly #element: Element;
  readonly #closed = new AbortController();
  #pressed: "Home" | "End" | undefined;
  #from = 0; // the scroll position from which the browser scrolls
  #moves = false; // the browser has scrolled since
  #stopped = false; // a script may have stopped that
  #complete = Infinity; // when what is displayed there was complete, in milliseconds

  constructor(element: Element) {
    this.#element = element;
    const { signal } = this.#closed;
    for (const type of CANCEL) window.addEventListener(type, (event) => this.#input(event), { passive: true, signal });
  }

  close(): void {
    this.#closed.abort();
  }

  /** scrolled notes that the scroll position has changed. */
  scrolled(): void {
    this.#expire();
    if (this.#pressed === undefined) return;
    const by = scrollerOf(this.#element).scrollTop - this.#from;
    this.#moves ||= this.#pressed === "Home" ? by <= -1 : by >= 1;
    if (this.#stopped) this.finish();
  }

  /** adjusted notes that a script has scrolled by some pixels. */
  adjusted(by: number): void {
    this.#from += by;
    this.#stopped = true;
  }

  /** finish scrolls where the key does, at once. It reports whether one was pressed. */
  finish(): boolean {
    this.#expire();
    if (!this.#moves) return false;
    this.#stopped = true;
    const scroller = scrollerOf(this.#element);
    scroller.scrollTo({ top: this.#pressed === "Home" ? 0 : scroller.scrollHeight, behavior: "instant" });
    return true;
  }

  /** complete is called when what is displayed is complete. */
  complete(): void {
    this.#expire();
    if (this.#moves && this.#arrived()) this.#complete = Math.min(this.#complete, performance.now());
  }

  /** expire forgets the key when the browser has had the time to end its animation. */
  #expire(): void {
    if (performance.now() > this.#complete + LATE) this.#forget();
  }

  #forget(): void {
    this.#pressed = undefined;
    this.#moves = false;
    this.#stopped = false;
    this.#complete = Infinity;
  }

  #arrived(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = scrollerOf(this.#element);
    return this.#pressed === "Home" ? scrollTop <= 0 : scrollHeight - clientHeight - scrollTop <= 1;
  }

  #input(event: globalThis.Event): void {
    this.#forget();
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
    if (event.key !== "Home" && event.key !== "End") return;
    const target = event.composedPath()[0];
    if (isTextField(target) || target instanceof HTMLSelectElement) return; // the key is for that
    this.#pressed = event.key;
    this.#from = scrollerOf(this.#element).scrollTop;
  }
}
