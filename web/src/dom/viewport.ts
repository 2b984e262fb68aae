// What the person can see of an element, wherever it is scrolled: in the page,
// or in any element around it, those of components included.

/** around are the elements around a node as they are laid out, from the inside out. */
export function around(node: Element): Element[] {
  const found: Element[] = [];
  for (let e = outside(node); e !== null; e = outside(e)) found.push(e);
  return found;
}

/** A part of the window, from top to bottom. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** visible is the part of the window in which something of an element can be seen; null where nothing can. */
export function visible(element: Element): Span | null {
  let top = 0;
  let bottom = window.innerHeight;
  for (const e of around(element)) {
    const { overflowY, position } = getComputedStyle(e);
    if (clips(e, overflowY)) {
      const box = e.getBoundingClientRect();
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
    if (position === "fixed") break; // what is around does not clip it
  }
  const box = element.getBoundingClientRect();
  return bottom > top && box.bottom > top && box.top < bottom ? { top, bottom } : null;
}

/** scrollerOf is the element whose scrolling moves another one. */
export function scrollerOf(element: Element): Element {
  for (const e of around(element)) {
    const { overflowY } = getComputedStyle(e);
    if ((overflowY === "auto" || overflowY === "scroll") && clips(e, overflowY)) return e;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** clips: what an element does not hold is not seen. That of the root, and mostly of the body, is up to the window. */
function clips(element: Element, overflow: string): boolean {
  if (overflow === "visible" || element === document.documentElement) return false;
  return element !== document.body || getComputedStyle(document.documentElement).overflowY !== "visible";
}

function outside(node: Element): Element | null {
  if (node.assignedSlot !== null) return node.assignedSlot;
  const parent = node.parentNode;
  return parent instanceof ShadowRoot ? parent.host : node.parentElement;
}
