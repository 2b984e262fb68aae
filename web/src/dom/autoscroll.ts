// Elements that scroll to their end when content is added.

const NEAR = 32; // pixels from the end that still count as at the end

/**
 * follow keeps an element scrolled to its end while its content changes, unless the person has
 * scrolled away from the end. It returns a function that stops it.
 */
export function follow(element: Element): () => void {
  let atEnd = true;
  const scrolled = (): void => {
    atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR;
  };
  const toEnd = (): void => {
    if (atEnd) element.scrollTop = element.scrollHeight;
  };
  const observer = new MutationObserver(toEnd);
  observer.observe(element, { childList: true, characterData: true, subtree: true });
  element.addEventListener("scroll", scrolled, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener("scroll", scrolled);
  };
}
