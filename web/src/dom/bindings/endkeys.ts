// The keys that scroll to the start or the end. Browsers animate that, and stop halfway when a
// script scrolls, as a list does that keeps its rows in place while others come. So the page
// scrolls instead, at once.

import { isTextField } from "../../textfield";
import { scrollerOf, selfAndAncestors } from "../viewport";

/** endKeys has these keys scroll what an element is in, until signal is aborted. */
export function endKeys(element: Element, signal: AbortSignal): void {
  let pressed: EventTarget[] = []; // where the pointer went down last: the keys are for what is left of that if nothing has the focus
  window.addEventListener("pointerdown", (event) => (pressed = event.composedPath()), { capture: true, passive: true, signal });
  window.addEventListener("keydown", (event) => {
    const { key, defaultPrevented, shiftKey, altKey, metaKey } = event;
    if (defaultPrevented || shiftKey || altKey || metaKey || (key !== "Home" && key !== "End")) return;
    const [focused] = event.composedPath();
    const target = focused === document.body ? (pressed.find((e) => e instanceof Element && e.isConnected) ?? focused) : focused;
    if (!(target instanceof Element) || isTextField(target) || target.matches("select, input[type=range], audio, video")) return;
    const scroller = scrollerOf(element);
    const scrolls = (e: Element): boolean => e === scroller || (e.scrollHeight > e.clientHeight && scrollerOf(e) === e);
    if (selfAndAncestors(target).find(scrolls) !== scroller) return;
    event.preventDefault();
    scroller.scrollTo({ top: key === "Home" ? 0 : scroller.scrollHeight, behavior: "instant" });
  }, { signal });
}
