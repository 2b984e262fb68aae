// What is dragged goes along with the drop: another page may drag something else at the same time.

import type { Value } from "../data/value";
import type { Instance } from "./instance";

/** The type of the data of a drag of this page that carries an instance. */
const INSTANCE = `application/x-ui-${Math.random().toString(36).slice(2)}`;

let dragged: Instance | undefined; // a saved view gives it another id in the middle of a drag

/** carries has drags that begin in an element carry its instance, until signal is aborted. */
export function carries(element: Element, instance: Instance, signal: AbortSignal): void {
  element.addEventListener("dragstart", (event) => {
    if (!(event instanceof DragEvent)) return;
    // The innermost one is what is dragged.
    if (event.dataTransfer?.types.includes(INSTANCE) !== false) return;
    event.dataTransfer.setData(INSTANCE, " ");
    dragged = instance;
  }, { signal });
}

/** carried returns the instance that an event drops, or null. */
export function carried(event: Event): Value {
  const carries = event instanceof DragEvent && event.dataTransfer?.types.includes(INSTANCE) === true;
  return (carries && dragged?.id) || null;
}
