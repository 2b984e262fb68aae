// Which part of an element is visible, given all scrolling ancestors including those in components.

/** parentOf returns the element in which a node is drawn; null for the document element. */
export function parentOf(node: Node): Element | null {
  if ((node instanceof Element || node instanceof Text) && node.assignedSlot !== null) return node.assignedSlot;
  const parent = node.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** Span is a vertical part of the window. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** selfAndAncestors returns an element, which may scroll its own content, and those around it, from the inside out. */
export function selfAndAncestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let e: Element | null = element; e !== null; e = parentOf(e)) found.push(e);
  return found;
}

/** contentTop returns where the content of an element starts in the window, given its own scrolling. */
export function contentTop(element: Element): number {
  return element.getBoundingClientRect().top - element.scrollTop;
}

/** contentBottom returns where the content of an element ends in the window. */
export function contentBottom(element: Element): number {
  const { top, bottom } = element.getBoundingClientRect();
  return element.scrollHeight > element.clientHeight && clips(element, getComputedStyle(element).overflowY)
    ? top - element.scrollTop + element.scrollHeight
    : bottom;
}

/** visible returns the part of the window in which an element is visible; null when it is not. */
export function visible(element: Element): Span | null {
  let top = 0;
  let bottom = window.innerHeight;
  for (const e of selfAndAncestors(element)) {
    const { overflowY, position } = getComputedStyle(e);
    if (clips(e, overflowY)) {
      const box = e.getBoundingClientRect();
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
    if (position === "fixed") break; // its ancestors do not clip it
  }
  const box = element.getBoundingClientRect();
  return bottom > top && box.bottom > top && box.top < bottom ? { top, bottom } : null;
}

/** scrollerOf returns the element whose scrolling moves the content of an element, which may be itself. */
export function scrollerOf(element: Element): Element {
  for (const e of selfAndAncestors(element)) {
    const { overflowY } = getComputedStyle(e);
    if ((overflowY === "auto" || overflowY === "scroll") && clips(e, overflowY)) return e;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** clips reports whether an element clips its content. The window applies the root's overflow. */
function clips(element: Element, overflow: string): boolean {
  if (overflow === "visible" || element === document.documentElement) return false;
  return element !== document.body || getComputedStyle(document.documentElement).overflowY !== "visible";
}
