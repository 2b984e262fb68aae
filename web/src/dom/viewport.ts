// Which part of an element is visible, given all scrolling ancestors including those in components.

/** layoutAncestors returns the ancestors of a node in layout order, from the inside out. */
function layoutAncestors(node: Element): Element[] {
  const found: Element[] = [];
  for (let e = outside(node); e !== null; e = outside(e)) found.push(e);
  return found;
}

/** Span is a vertical part of the window. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** selfAndAncestors returns an element, which may scroll its own content, and its layout ancestors. */
export function selfAndAncestors(element: Element): Element[] {
  return [element, ...layoutAncestors(element)];
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

function outside(node: Element): Element | null {
  if (node.assignedSlot !== null) return node.assignedSlot;
  const parent = node.parentNode;
  return parent instanceof ShadowRoot ? parent.host : node.parentElement;
}
