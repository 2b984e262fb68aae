// Elements that scroll to their end when content is added or grows: by scrolling
// themselves, or what is around them, a box or the page. While the person points at something in
// them, or has the focus there, they stay where they are.

import { scrollerOf } from "./viewport";

const NEAR = 32; // pixels from the end that still count as at the end

const followed = new WeakMap<Element, Follower>();

/** keepAtEnd scrolls to the end of a followed element. It reports whether it did: the person may read elsewhere. */
export function keepAtEnd(element: Element): boolean {
  return followed.get(element)?.toEnd() ?? false;
}

/**
 * follow keeps the end of an element in sight, from its first content on and while that changes,
 * unless the person has scrolled away from the end, or is in it with the pointer or the focus. It
 * returns a function that stops it.
 */
export function follow(element: Element): () => void {
  const follower = new Follower(element);
  followed.set(element, follower);
  return () => {
    follower.stop();
    followed.delete(element);
  };
}

class Follower {
  readonly #element: Element;
  readonly #mutations = new MutationObserver((records) => this.#mutated(records));
  readonly #resizes = new ResizeObserver(() => void this.toEnd()); // rows grow, and images in them
  readonly #stop = new AbortController();
  #scroller: Element | undefined;
  #unlisten = new AbortController(); // from the scroller
  #top: number | undefined; // where the scroller was seen last; undefined if it was not displayed since
  #end = 0; // where the end was when the content was seen last
  #atEnd = true;
  #points = false; // the person has moved a pointer in the element, or pressed it

  constructor(element: Element) {
    this.#element = element;
    this.#attend(element);
    this.#mutations.observe(element, { childList: true, characterData: true, subtree: true });
    this.#resizes.observe(element);
    for (const child of element.children) this.#resizes.observe(child);
    const { signal } = this.#stop;
    const changed = (): void => void this.toEnd();
    document.fonts.addEventListener("loadingdone", changed, { signal });
    window.addEventListener("resize", changed, { signal });
  }

  /** follows reports whether the end is to stay in sight. */
  get follows(): boolean {
    return this.#atEnd && !this.#points && !this.#element.matches(":focus-within:not(:focus)");
  }

  /** attend follows the pointer and the focus. */
  #attend(element: Element): void {
    const { signal } = this.#stop;
    const points = (event: Event): void => {
      // Rows that move under a pointer which rests cause events, too.
      const moves = event instanceof PointerEvent && (event.type === "pointerdown" || event.movementX !== 0 || event.movementY !== 0);
      if (event.isTrusted && moves) this.#points = true;
    };
    const leaves = (event: Event): void => {
      // A finger that is lifted points at nothing any more.
      if (event instanceof PointerEvent && event.type === "pointerup" && event.pointerType === "mouse") return;
      this.#points = false;
      this.toEnd();
    };
    for (const type of ["pointerdown", "pointermove"]) element.addEventListener(type, points, { passive: true, signal });
    for (const type of ["pointerleave", "pointercancel", "pointerup"]) element.addEventListener(type, leaves, { passive: true, signal });
    element.addEventListener("focusout", () => setTimeout(() => this.toEnd()), { passive: true, signal });
  }

  /** toEnd scrolls to the end, unless the person has left it. It reports whether they have not. */
  toEnd(): boolean {
    if (this.#element.getClientRects().length === 0) { // it is not displayed now
      this.#top = undefined;
      return this.follows;
    }
    if (isEmpty(this.#element)) return this.follows; // the page stays where it is
    const scroller = this.#listen();
    this.#notice(scroller); // scripts scroll, too, and the event comes later
    this.#end = endIn(scroller, this.#element);
    if (!this.follows) return false;
    scroller.scrollTo({ top: this.#end, behavior: "instant" });
    this.#top = scroller.scrollTop;
    return true;
  }

  stop(): void {
    this.#mutations.disconnect();
    this.#resizes.disconnect();
    this.#stop.abort();
    this.#unlisten.abort();
  }

  /** listen returns what scrolls the element now, and listens to it. */
  #listen(): Element {
    const scroller = scrollerOf(this.#element);
    if (scroller === this.#scroller) return scroller;
    this.#unlisten.abort();
    if (this.#scroller !== undefined && this.#scroller !== this.#element) this.#resizes.unobserve(this.#scroller);
    this.#scroller = scroller;
    this.#unlisten = new AbortController();
    this.#top = scroller.scrollTop;
    this.#resizes.observe(scroller);
    const target = scroller === document.scrollingElement ? document : scroller;
    target.addEventListener("scroll", this.#scrolled, { passive: true, signal: this.#unlisten.signal });
    return scroller;
  }

  readonly #scrolled = (): void => {
    // The event of toEnd's own scrolling comes later, when there may be more content already.
    if (this.#notice(this.#scroller as Element)) this.toEnd();
  };

  /**
   * notice finds out whether the end was left, or reached, since the scroller was seen last. It
   * reports whether the browser has scrolled, to keep in place what is visible.
   */
  #notice(scroller: Element): boolean {
    const { scrollTop } = scroller;
    const top = this.#top;
    this.#top = scrollTop;
    if (top === undefined || scrollTop === top) return false;
    const up = scrollTop < top;
    const end = endIn(scroller, this.#element);
    // Other content grew or shrank.
    if (this.#atEnd && (up ? end < this.#end : end > this.#end)) return true;
    // A person who scrolls up leaves the end at once: content that comes would hold them back.
    // Who scrolls down has reached the end even if content has come after it since.
    const near = (place: number): boolean => Math.abs(place - scrollTop) < (up ? 2 : NEAR);
    this.#atEnd = near(end) || !up && near(this.#end);
    return false;
  }

  #mutated(records: readonly MutationRecord[]): void {
    for (const { target, addedNodes, removedNodes } of records) {
      if (target !== this.#element) continue;
      for (const node of removedNodes) if (node instanceof Element) this.#resizes.unobserve(node);
      for (const node of addedNodes) if (node.parentNode === target && node instanceof Element) this.#resizes.observe(node);
    }
    this.toEnd();
  }
}

const isEmpty = (element: Element): boolean => element.firstElementChild === null && !/\S/.test(element.textContent ?? "");

/**
 * endIn returns how far to scroll for the end of an element. That is the end of what scrolls it, so
 * that what follows the element is in sight, too, unless that is more than fits.
 */
function endIn(scroller: Element, element: Element): number {
  const most = scroller.scrollHeight - scroller.clientHeight;
  if (scroller === element) return most;
  const top = scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top + scroller.clientTop;
  const bottom = element.getBoundingClientRect().bottom - top + scroller.scrollTop;
  return bottom - most > NEAR ? most : Math.max(bottom - scroller.clientHeight, 0);
}
