// Elements that scroll to their end when content is added.

const NEAR = 32; // pixels from the end that still count as at the end

/** The followed elements, each with the function that scrolls it to its end unless the person has left it. */
const followed = new WeakMap<Element, () => boolean>();

/** keepAtEnd scrolls a followed element to its end. It reports whether it did: the person may read elsewhere. */
export function keepAtEnd(element: Element): boolean {
  return followed.get(element)?.() ?? false;
}

/**
 * follow keeps an element scrolled to its end, from its first content on and while that changes,
 * unless the person has scrolled away from the end. It returns a function that stops it.
 */
export function follow(element: Element): () => void {
  let atEnd = true;
  let last = 0; // where the element was scrolled to by toEnd
  const scrolled = (): void => {
    // The event comes later than the scrolling, when there may be more content already.
    if (element.scrollTop === last) return;
    last = -1;
    atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR;
  };
  const toEnd = (): boolean => {
    if (!atEnd) return false;
    element.scrollTop = element.scrollHeight;
    last = element.scrollTop;
    return true;
  };
  const observer = new MutationObserver(toEnd);
  observer.observe(element, { childList: true, characterData: true, subtree: true });
  element.addEventListener("scroll", scrolled, { passive: true });
  followed.set(element, toEnd);
  return () => {
    observer.disconnect();
    element.removeEventListener("scroll", scrolled);
    followed.delete(element);
  };
}
