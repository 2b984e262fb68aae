// In which control the person types. This is the only rule for that: what would take text, focus or
// the meaning of the next key from them asks here.

import { focused } from "../focus";

/** What people do themselves. Events about the focus are not here: scripts cause them, too. */
const OWN = [
  "keydown", "keyup", "beforeinput", "input", "change", "compositionstart", "compositionend", "paste",
  "pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu",
  "touchstart", "touchend", "dragstart", "drag", "dragenter", "dragover", "dragleave", "drop", "dragend",
] as const;

const SEGMENTED = /^(date|datetime-local|month|time|week)$/; // fields whose value changes when all of it is there

/**
 * Typing follows the person's own input. They type in the focused control from its first input until
 * it loses the focus, or reports that its value is complete: with Enter, or as the choice is made.
 */
export class Typing {
  #element: Element | undefined;
  #own = false; // the person's own event is being handled
  #inputs = 0;
  readonly #typed: (element: Element) => void;

  /** typed is called for each input of the person, with the control. */
  constructor(typed: (element: Element) => void) {
    this.#typed = typed;
  }

  /** element is the control in which the person types, also while a question has borrowed the focus. */
  get element(): Element | undefined {
    return this.#element !== undefined && this.#element === focused() ? this.#element : undefined;
  }

  /** byPerson reports whether what happens now is caused by something that the person has just done. */
  get byPerson(): boolean {
    return this.#own;
  }

  /** inputs counts what the person has entered so far. */
  get inputs(): number {
    return this.#inputs;
  }

  /** touches reports whether a click on an element, or a key, would use what the person types. */
  touches(element: Element): boolean {
    const typed = this.element;
    if (typed === undefined) return false;
    const form = formOf(element);
    return element === typed || element.closest("label")?.control === typed || (form !== null && form === formOf(typed));
  }

  /** complete ends typing: the person has sent what they typed. */
  complete(): void {
    this.#element = undefined;
  }

  /** foreign is called before something is done in place of the person. */
  foreign(): void {
    this.#own = false;
  }

  /** listen installs the listeners, which signal removes. It must be called before those that ask. */
  listen(document: Document, signal: AbortSignal): void {
    const on = (type: string, handle: (event: Event, target: Element) => void): void => {
      document.addEventListener(type, (event) => {
        if (event.target instanceof Element) handle(event, event.target);
      }, { capture: true, passive: true, signal });
    };
    for (const type of OWN) {
      window.addEventListener(type, ({ isTrusted }) => {
        if (!isTrusted || this.#own) return;
        this.#own = true;
        setTimeout(() => (this.#own = false)); // components react in microtasks
      }, { capture: true, passive: true, signal });
    }
    const typed = ({ isTrusted }: Event, target: Element): void => {
      if (!isTrusted) return;
      this.#inputs++;
      if (target === focused()) this.#element = target;
      this.#typed(target);
    };
    on("input", typed);
    on("compositionstart", typed);
    on("keydown", (event, target) => {
      const { key, isComposing } = event as KeyboardEvent;
      const field = event.composedPath()[0];
      if (!(field instanceof HTMLInputElement)) return;
      if (key === "Enter" && !isComposing && target === this.#element) this.complete();
      else if (SEGMENTED.test(field.type) && (key.length === 1 || key === "Backspace" || key === "Delete")) typed(event, target);
    });
    const complete = (_: Event, target: Element): void => {
      if (target === this.#element && this.#own) this.complete();
    };
    on("change", complete);
    on("sl-change", (event, target) => {
      if (this.#own) this.#typed(target); // some components have no field of the browser's within
      complete(event, target);
    });
    on("focusout", (_, target) => {
      if (target !== this.#element) return;
      if (target === document.activeElement) this.complete(); // the window has lost the focus
      else queueMicrotask(() => (this.#element = this.element)); // a question gives the focus back
    });
  }
}

function formOf(element: Element): HTMLFormElement | null {
  const form: unknown = Reflect.get(element, "form");
  return form instanceof HTMLFormElement ? form : element.closest("form");
}
