// A click belongs to the element on which the pointer went down, also if rows that have come or
// gone in between have moved that away. Browsers give it to what is under the pointer when it goes
// up, or to what is around both.

const SLOP = 10; // pixels by which a pointer may move in a click
const MOVED = 1; // pixels by which an element must have moved

/** clicksWherePressed installs the listeners, which signal removes. */
export function clicksWherePressed(signal: AbortSignal): void {
  const options = { capture: true, signal };
  let pressed: { target: Element; x: number; y: number; box: DOMRect } | undefined;
  window.addEventListener("pointerdown", (event) => {
    const [target] = event.composedPath();
    const counts = event.isPrimary && event.button === 0 && target instanceof Element;
    pressed = counts ? { target, x: event.clientX, y: event.clientY, box: target.getBoundingClientRect() } : undefined;
  }, { ...options, passive: true });
  window.addEventListener("click", (event) => {
    if (!event.isTrusted || event.detail === 0 || pressed === undefined) return;
    const { target, x, y, box } = pressed;
    pressed = undefined; // a click on a label goes on to its control
    const [hit] = event.composedPath();
    if (!target.isConnected || (hit instanceof Node && target.contains(hit))) return;
    const now = target.getBoundingClientRect();
    const moved = Math.hypot(now.left - box.left, now.top - box.top) >= MOVED;
    if (!moved || Math.hypot(event.clientX - x, event.clientY - y) > SLOP) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (target instanceof HTMLElement) target.click();
    else target.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
  }, options);
}
