// Actions, events and keys: what the person does to an element is sent to the server.

import type { Value } from "../../data/value";
import { valueOf } from "../control";
import { carried, carries } from "../dragged";
import { fingers } from "../finger";
import { Stateful, type Instance, type Part, type Of, type PageContext } from "../instance";
import { isButton, isSubmit, isToggle, submitOf } from "../implicit";
import { matches, parseKey } from "../keys";
import { Running } from "../running";

/**
 * Events that end what other events began. What the person did may have moved or removed their
 * element in the meantime: when a card is dropped in another list, "dragend" finds it gone.
 */
const ENDS: ReadonlySet<string> = new Set([
  "dragend", "dragleave", "blur", "focusout", "mouseleave", "mouseout", "pointerleave", "pointerout",
]);

/** Events by which a control says that the person has left it; they may come before "focusout". */
const LEFT: ReadonlySet<string> = new Set(["blur", "focusout", "sl-blur"]);

/** Keys that end what the person types where the app takes them, as in a text of several lines. */
const ENDING: ReadonlySet<string> = new Set(["Enter", "Escape"]);

/** Trigger is a binding that sends an event for each DOM event that it accepts. */
abstract class Trigger extends Stateful {
  /** type is the name of the DOM event. */
  protected abstract readonly type: string;

  /** accept decides whether the event counts, and prevents the browser's default if necessary. */
  protected abstract accept(event: globalThis.Event, element: Element): boolean;

  /** argument returns the event's argument, for bindings that take one. */
  protected argument(element: Element, _event: globalThis.Event): Value {
    return valueOf(element);
  }

  /** submits reports whether the event, which may be a key, sends a form; undefined: it repeats at will. */
  protected submits(_event: globalThis.Event, _element: Element): boolean | undefined {
    return undefined;
  }

  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    let running: Running | undefined;
    let bound = true;
    const { editors, outbox } = page.around;
    const listener = (event: globalThis.Event): void => {
      if (!instance.live || editors.drops(element) || !this.accept(event, element)) return;
      const { byPerson } = editors.typing;
      if (byPerson) page.around.acted(instance);
      const toggled = editors.toggle(element);
      const field = editors.of(element)?.field;
      if (toggled === undefined) editors.sync(element);
      if (field !== undefined && LEFT.has(this.type)) outbox.commit(field);
      const value = at.binding.opts.arg ? this.argument(element, event) : undefined;
      const ends = ENDS.has(this.type);
      const send = (done: () => void): void => {
        if (outbox.send(instance.id, at.binding.slot, value, ends, done)) {
          if (toggled !== undefined) outbox.resend(toggled); // an action that toggles, too, must not undo what the person sees
          return;
        }
        done();
        if (LEFT.has(this.type) && field?.edited === true) outbox.follow(field, () => (bound ? at.binding.slot : undefined), value);
        else if (!ends) page.around.refused();
      };
      const submits = byPerson && !at.binding.opts.repeat ? at.binding.submits(event, element) : undefined;
      if (byPerson && event instanceof KeyboardEvent && ENDING.has(event.key)) editors.typing.complete();
      if (submits === undefined) send(() => {});
      else (running ??= new Running()).press({ button: buttonOf(event, element), submits, inputs: editors.typing.inputs, send });
    };
    element.addEventListener(this.type, listener);
    return {
      set: () => {},
      rebound: () => running?.end(),
      dispose: () => {
        bound = false;
        running?.end();
        element.removeEventListener(this.type, listener);
      },
    };
  }
}

/** buttonOf returns the button that the person has used: of a form that is sent, the one that sends it. */
function buttonOf(event: globalThis.Event, element: Element): Element {
  if (!(element instanceof HTMLFormElement)) return element;
  const submitter = event instanceof SubmitEvent ? event.submitter : null;
  if (submitter !== null && submitter.style.position !== "absolute") return submitter;
  // Components submit by a hidden button that is there for a moment only.
  const { activeElement } = element.ownerDocument;
  return activeElement?.localName === "sl-button" && element.contains(activeElement) ? activeElement : (submitOf(element) ?? element);
}

/** Action sends on a click. */
export class Action extends Trigger {
  protected override readonly type = "click";

  protected override submits(_: globalThis.Event, element: Element): boolean | undefined {
    return isToggle(element) ? undefined : sendsForm(element);
  }

  protected override accept(event: globalThis.Event, element: Element): boolean {
    // Preventing the click would undo the change of a checkbox of the browser.
    if (element.localName !== "input" || !isToggle(element)) event.preventDefault();
    return true;
  }
}

function sendsForm(element: Element): boolean {
  if (element.localName === "sl-button") return element.getAttribute("type") === "submit" && element.closest("form") !== null;
  return isSubmit(element) && Reflect.get(element, "form") !== null;
}

/**
 * DOMEvent sends on the named event. An element with a binding of "drop" takes what is dragged in the
 * page, and its argument is that; a finger drags what can be dragged in one with a binding of
 * "dragstart".
 */
export class DOMEvent extends Trigger {
  protected override get type(): string {
    return this.name;
  }

  protected override submits(_: globalThis.Event, element: Element): boolean | undefined {
    if (this.name === "submit") return true;
    return this.name === "click" && isButton(element) ? sendsForm(element) : undefined;
  }

  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    const part = super.make(page, instance, element, at);
    if (this.name !== "drop" && this.name !== "dragstart") return part;
    const ends = new AbortController();
    const { signal } = ends;
    if (this.name === "drop") {
      element.addEventListener("dragover", takes, { signal });
    } else {
      fingers(element, signal);
      carries(element, instance, signal);
    }
    return {
      ...part,
      dispose: () => {
        ends.abort();
        part.dispose();
      },
    };
  }

  protected override argument(element: Element, event: globalThis.Event): Value {
    return this.name === "drop" ? carried(event) : super.argument(element, event);
  }

  protected override accept(event: globalThis.Event): boolean {
    if (event.type === "submit") {
      event.preventDefault(); // it would load another page.
      if (!isComplete(event)) return false;
    }
    if (event.type === "dragstart" && event instanceof DragEvent && event.dataTransfer !== null) {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", ""); // some browsers drag nothing that has no data
    }
    if (event.type !== "drop") return true;
    const mine = !this.opts.arg || (carried(event) !== null && !event.defaultPrevented); // else it fell on an element within
    return takes(event) && mine;
  }
}

/**
 * isComplete reports whether no component in a form that is being sent keeps it from being sent.
 * Components look at this event, too, but some when this page already has; browsers ask only their
 * own controls.
 */
function isComplete({ target, submitter }: globalThis.Event & { readonly submitter?: HTMLElement | null }): boolean {
  if (!(target instanceof HTMLFormElement) || target.noValidate || submitter?.hasAttribute("formnovalidate") === true) return true;
  const refuses = (element: Element): boolean => {
    const check: unknown = element.localName.includes("-") ? Reflect.get(element, "checkValidity") : undefined;
    return typeof check === "function" && Reflect.get(element, "disabled") !== true && check.call(element) === false;
  };
  return !Array.from(target.querySelectorAll("*")).some(refuses);
}

/** takes lets an element take what is dragged over it or dropped on it, unless it comes from elsewhere. */
function takes(event: globalThis.Event): boolean {
  if (event instanceof DragEvent && event.dataTransfer?.types.includes("Files") === true) return false;
  event.preventDefault();
  return true;
}

/** Key sends when the named key is pressed. */
export class Key extends Trigger {
  protected override readonly type = "keydown";
  readonly #key = parseKey(this.name);

  protected override submits(): boolean | undefined {
    return this.#key.name === "enter" ? false : undefined;
  }

  protected override argument(): Value {
    return this.#key.name;
  }

  protected override accept(event: globalThis.Event): boolean {
    if (!(event instanceof KeyboardEvent) || !matches(this.#key, event)) return false;
    const { key, modifiers } = this.#key;
    // Shortcuts and Enter are the app's alone; keys that type, or move caret or focus, are not.
    if (key === "enter" || modifiers.has("ctrl") || modifiers.has("alt") || modifiers.has("meta")) event.preventDefault();
    return true;
  }
}
