// The wheel and a finger on the screen: they look back, or scroll the program if it scrolls itself.

/** Milliseconds for which a finger rests before it selects. */
const HOLD = 500;
/** How far a finger that rests may move, in CSS pixels. */
const SHAKE = 10;

/** Scrolled is what the wheel and fingers move. */
export interface Scrolled {
  /** programHasWheel is whether the wheel is for the program: as mouse events, or as arrow keys. */
  readonly programHasWheel: boolean;
  /** lookingBack is whether the history covers the screen. */
  readonly lookingBack: boolean;
  /** pans is whether the screen is larger than the view, and the browser scrolls it. */
  readonly pans: boolean;
  /** rowHeight is the height of a row, in CSS pixels. */
  readonly rowHeight: number;
  /** lookBack opens the history, scrolled up by some pixels. */
  lookBack(up: number): void;
  /** select selects from the word at which a finger has begun to where it is. */
  select(x: number, y: number, begins: boolean): void;
  /** selected is called when the finger has left, and tapped when one touches the screen. */
  selected(): void;
  tapped(): void;
  /** scrollBy scrolls the history, if it is open. */
  scrollBy(down: number): void;
}

/** scrollWith moves a view with the wheel and with one finger on its screen, until the signal. */
export function scrollWith(screen: HTMLElement, view: Scrolled, signal: AbortSignal): void {
  let touched: { readonly x: number; y: number; readonly up: boolean } | undefined; // a finger on the screen

  let holding: ReturnType<typeof setTimeout> | undefined; // a finger rests, and selects soon
  let selects = false; // the finger selects

  /** hold lets a finger that rests select. It reports whether the event is that finger's. */
  const hold = (event: TouchEvent): boolean => {
    const finger = event.touches[0];
    if (event.type === "touchstart") {
      clearTimeout(holding);
      selects = false;
      view.tapped();
      if (event.touches.length !== 1 || finger === undefined || view.lookingBack) return false;
      const { clientX, clientY } = finger;
      holding = setTimeout(() => {
        selects = true;
        view.select(clientX, clientY, true);
      }, HOLD);
      return false;
    }
    if (event.type === "touchmove" && finger !== undefined) {
      if (selects) view.select(finger.clientX, finger.clientY, false);
      else if (touched === undefined || Math.hypot(finger.clientX - touched.x, finger.clientY - touched.y) > SHAKE) clearTimeout(holding);
      return selects;
    }
    clearTimeout(holding);
    const selected = selects;
    selects = false;
    if (selected) view.selected();
    return selected;
  };

  /** wheel looks back, unless the wheel is for the program: then xterm.js handles it. */
  const wheel = (event: WheelEvent): void => {
    const { deltaX, deltaY, deltaMode, shiftKey } = event;
    if (view.pans && !view.lookingBack && browserPans(screen, -deltaX, -deltaY)) return event.stopPropagation();
    if (!shiftKey && view.programHasWheel) return;
    stop(event);
    if (deltaY < 0) view.lookBack(-deltaY * (deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : view.rowHeight * (deltaMode === WheelEvent.DOM_DELTA_LINE ? 1 : 20)));
  };

  const touch = (event: TouchEvent): void => {
    if (hold(event)) return stop(event);
    const finger = event.touches[0];
    if (event.type === "touchstart") {
      touched = event.touches.length === 1 && finger !== undefined ? { x: finger.clientX, y: finger.clientY, up: false } : undefined;
      return;
    }
    const before = touched;
    if (event.type !== "touchmove" || before === undefined || finger === undefined) return;
    const moved = finger.clientY - before.y;
    if (view.pans && !view.lookingBack && !before.up && browserPans(screen, finger.clientX - before.x, moved)) {
      touched = undefined; // it has the rest of the gesture, too
      return;
    }
    if (view.programHasWheel && !view.lookingBack) {
      stop(event);
      turnWheel(before, finger, view.rowHeight);
      return;
    }
    if (!before.up && moved <= 0) return;
    stop(event); // from the first pixel on, or the browser scrolls, too
    if (!before.up && moved < 12) return;
    touched = { x: finger.clientX, y: finger.clientY, up: true };
    if (before.up) view.scrollBy(-moved);
    else view.lookBack(moved);
  };

  const options = { capture: true, passive: false, signal };
  screen.addEventListener("wheel", wheel, options);
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"] as const) screen.addEventListener(type, touch, options);
}

/** browserPans reports whether the browser scrolls the screen when a finger moves so far. */
function browserPans({ scrollTop, scrollHeight, clientHeight }: HTMLElement, right: number, down: number): boolean {
  return Math.abs(right) > Math.abs(down) || (down > 0 ? scrollTop > 0 : down < 0 && scrollTop + clientHeight < scrollHeight - 1);
}

/** turnWheel turns the wheel by the rows that a finger has moved, for a program that scrolls itself. */
function turnWheel(before: { y: number }, finger: Touch, rowHeight: number): void {
  const rows = Math.trunc((finger.clientY - before.y) / rowHeight);
  before.y += rows * rowHeight;
  const { clientX, clientY } = finger;
  for (let i = 0; i < Math.abs(rows); i++) {
    finger.target.dispatchEvent(new WheelEvent("wheel", { deltaY: -Math.sign(rows), deltaMode: WheelEvent.DOM_DELTA_LINE, clientX, clientY, bubbles: true, cancelable: true }));
  }
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
