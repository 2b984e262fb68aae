// Whether the person can see an element. The page around a frame may hide it, cover it or move it.

const WHOLE = 0.98; // of the element's area; pages that are zoomed round
const NARROW = 200; // CSS pixels: a smaller frame cannot show a question
const LOW = 120;

/** An entry of an observer that tracks visibility, as Chromium has it. */
interface Tracked extends IntersectionObserverEntry {
  readonly isVisible?: boolean; // nothing covers, fades or distorts the element
}

/** Visibility observes one element at a time. */
export class Visibility {
  readonly #changed: (visible: boolean) => void;
  #observer: IntersectionObserver | undefined;

  /** changed is called when the element has become visible as a whole, or is not any more. */
  constructor(changed: (visible: boolean) => void) {
    this.#changed = changed;
  }

  /** observe observes an element. small means that it may be in a small frame. */
  observe(element: Element, small: boolean): void {
    this.stop();
    const options = { threshold: [0, 0.5, 0.9, WHOLE, 1], trackVisibility: true, delay: 100 };
    this.#observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1) as Tracked;
      const room = small || (window.innerWidth >= NARROW && window.innerHeight >= LOW);
      this.#changed(room && entry.intersectionRatio >= WHOLE && entry.isVisible !== false);
    }, options);
    this.#observer.observe(element);
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#changed(false);
  }
}
