// Whether the person can see an element. The page around a frame may hide it, cover it or move it.

const WHOLE = 0.98; // of the element's area; pages that are zoomed round
const NARROW = 200; // CSS pixels: a smaller frame cannot show a question
const LOW = 120;

/** Visibility observes one element at a time. */
export class Visibility {
  readonly #changed: (visible: boolean) => void;
  #observer: IntersectionObserver | undefined;
  #small = false; // the element may be in a small frame
  #seen = false; // the observer sees all of the element
  #visible = false; // what changed was called with

  /** changed is called when the whole element has become visible, or no longer is. */
  constructor(changed: (visible: boolean) => void) {
    this.#changed = changed;
    // The observer reports nothing when the frame grows but all of the element was in it before.
    window.addEventListener("resize", () => this.#update());
  }

  /** observe observes an element. small means that it may be in a small frame. */
  observe(element: Element, small: boolean): void {
    this.stop();
    this.#small = small;
    const options = { threshold: [0, 0.5, 0.9, WHOLE, 1], trackVisibility: true, delay: 100 };
    this.#observer = new IntersectionObserver((entries) => {
      // Chromium says, too, whether something covers, fades or distorts the element.
      const entry = entries.at(-1) as IntersectionObserverEntry & { readonly isVisible?: boolean };
      this.#seen = entry.intersectionRatio >= WHOLE && entry.isVisible !== false;
      this.#update();
    }, options);
    this.#observer.observe(element);
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#seen = false;
    this.#update();
  }

  #update(): void {
    const fits = this.#small || (window.innerWidth >= NARROW && window.innerHeight >= LOW);
    const visible = fits && this.#seen;
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#changed(visible);
  }
}
