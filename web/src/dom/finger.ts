// Dragging with a finger. Not every browser drags with one, so the page does it in all of them,
// with the events of a drag with the mouse, and stops what the browser would do by itself.

import { pictureOf } from "./likeness";
import { selfAndAncestors } from "./viewport";

const PRESS = 400; // milliseconds for which a finger rests before it drags
const SLOP = 10; // pixels by which a resting finger may move
const EDGE = 40; // pixels from the edges of what scrolls, within which a drag scrolls it
const STEP = 8; // pixels by which it scrolls in each frame
const BEAT = 50; // milliseconds between the events of a drag

let pressed = false; // a finger rests or drags

/** fingers lets a finger drag what can be dragged in an element, until signal is aborted. */
export function fingers(element: Element, signal: AbortSignal): void {
  element.addEventListener("touchstart", (event) => press(event as TouchEvent), { passive: true, signal });
  // In Safari, listeners that come during a touch prevent scrolling only if one was there before.
  element.addEventListener("touchmove", () => {}, { passive: false, signal });
}

/** press begins with a finger that comes down, and ends when it has dropped something, or will not. */
function press(event: TouchEvent): void {
  const { touches, target } = event;
  const [touch] = touches;
  const dragged = (target as Element).closest<HTMLElement>('[draggable="true"]');
  const [innermost] = event.composedPath(); // in a component, too
  if (pressed || touch === undefined || touches.length > 1 || dragged === null || edits(innermost as HTMLElement)) return;
  pressed = true;
  let { clientX, clientY } = touch; // where the finger is
  let picture: HTMLElement | undefined; // follows the finger while it drags
  let over: Element | null = null;
  let taken = false; // what is under the finger takes what is dragged
  let reported = 0; // when the last events were
  const [startX, startY] = [clientX, clientY];
  const far = (): boolean => Math.hypot(clientX - startX, clientY - startY) > SLOP;
  const dataTransfer = new DataTransfer();
  const ends = new AbortController();
  const { signal } = ends;

  /** fire reports whether no listener has prevented the default. */
  const fire = (type: string, at: Element | null): boolean =>
    at === null || at.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, clientX, clientY, dataTransfer }));

  /** tell dispatches the events for where the finger is. */
  const tell = (): void => {
    fire("drag", dragged);
    const left = over;
    over = document.elementFromPoint(clientX, clientY);
    if (over !== left) {
      fire("dragenter", over);
      fire("dragleave", left);
    }
    taken = !fire("dragover", over);
  };

  const end = (drops: boolean): void => {
    clearTimeout(timer);
    ends.abort();
    pressed = false;
    if (picture === undefined) return;
    picture.remove();
    if (drops) tell();
    fire(drops && taken ? "drop" : "dragleave", over);
    fire("dragend", dragged);
  };

  const frame = (now: number): void => {
    if (signal.aborted) return;
    if (far()) scrollAt(clientX, clientY);
    if (now - reported >= BEAT) {
      reported = now;
      tell();
    }
    requestAnimationFrame(frame);
  };

  const timer = setTimeout(() => {
    if (!dragged.draggable || !dragged.isConnected || !fire("dragstart", dragged)) {
      end(false);
      return;
    }
    picture = pictureOf(dragged);
    frame(0);
  }, PRESS);

  const on = <E extends Event>(at: EventTarget, type: string, listener: (event: E) => void): void =>
    at.addEventListener(type, listener as (event: Event) => void, { capture: true, passive: false, signal });
  // All events of a finger go to the element that it came down on, even when that is removed.
  on(touch.target, "touchmove", (event: TouchEvent) => {
    ({ clientX, clientY } = event.touches[0] as Touch);
    if (picture !== undefined) {
      event.preventDefault(); // it would scroll
      picture.style.translate = `${clientX - startX}px ${clientY - startY}px`;
    } else if (far()) end(false);
  });
  on(touch.target, "touchend", (event) => {
    if (picture !== undefined) event.preventDefault(); // it would click
    end(true);
  });
  on(touch.target, "touchcancel", () => end(false));
  on(document, "touchstart", () => end(false)); // of another finger
  on(document, "keydown", (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    if (picture !== undefined) prevent(event);
    end(false);
  });
  // What browsers do after a long press: drag, too, select, or show a menu.
  for (const type of ["dragstart", "selectstart", "contextmenu"]) on(document, type, prevent);
  dragged.style.setProperty("-webkit-touch-callout", "none");
}

/** edits reports whether a long press on an element selects text to edit. */
function edits(element: HTMLElement): boolean {
  return element.isContentEditable || element.matches("input, textarea, select");
}

function prevent(event: Event): void {
  if (!event.isTrusted) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** scrollAt scrolls what has a point of the window near its edge: the innermost that can scroll further. */
function scrollAt(x: number, y: number): void {
  const over = document.elementFromPoint(x, y);
  for (const e of over === null ? [] : selfAndAncestors(over)) {
    const root = e === document.scrollingElement;
    if (!root && !/auto|scroll/.test(getComputedStyle(e).overflow)) continue;
    const { left, top, right, bottom } = root ? new DOMRect(0, 0, innerWidth, innerHeight) : e.getBoundingClientRect();
    const { scrollLeft, scrollTop } = e;
    e.scrollBy({ left: step(x, left, right), top: step(y, top, bottom), behavior: "instant" });
    if (e.scrollLeft !== scrollLeft || e.scrollTop !== scrollTop) return;
  }
}

function step(at: number, from: number, to: number): number {
  const edge = Math.min(EDGE, (to - from) / 4);
  return at < from + edge ? -STEP : at > to - edge ? STEP : 0;
}
