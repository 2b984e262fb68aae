// Actions, events and keys: what the person does to an element is sent to the server.

import type { Value } from "../../data/value";
import type { Opts } from "../../wire";
import { valueOf } from "../control";
import { carried, carries } from "../dragged";
import { fingers } from "../finger";
import { Stateful, type Instance, type Part, type Of, type PageContext } from "../instance";
import { consumes, matches, parseKey } from "../keys";

/**
 * Events that end what other events began. What the person did may have moved or removed their
 * element in the meantime: when a card is dropped in another list, "dragend" finds it gone.
 */
const ENDS: ReadonlySet<string> = new Set([
  "dragend", "dragleave", "blur", "focusout", "mouseleave", "mouseout", "pointerleave", "pointerout",
]);

/** Trigger is a binding that sends an event for each DOM event that it accepts. */
abstract class Trigger extends Stateful {
  readonly #type: string;
  protected readonly arg: boolean;

  constructor(slot: number, element: number, type: string, opts: Opts) {
    super(slot, element);
    this.#type = type;
    this.arg = opts.arg;
  }

  /** accept decides whether the event counts, and prevents the browser's default if necessary. */
  protected abstract accept(event: globalThis.Event, element: Element): boolean;

  /** argument returns the event's argument, for bindings that take one. */
  protected argument(element: Element, _event: globalThis.Event): Value {
    return valueOf(element);
  }

  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    const listener = (event: globalThis.Event): void => {
      if (!instance.live || !this.accept(event, element)) return;
      const toggled = page.editors.toggle(element);
      if (toggled === undefined) page.editors.sync(element);
      const value = at.binding.arg ? this.argument(element, event) : undefined;
      const ends = ENDS.has(this.#type);
      if (!page.outbox.send(instance.id, at.binding.slot, value, ends)) {
        if (!ends) page.refused();
      } else if (toggled !== undefined) {
        page.outbox.resend(toggled); // an action that toggles, too, must not undo what the person sees
      }
    };
    element.addEventListener(this.#type, listener);
    return {
      set: () => {},
      dispose: () => element.removeEventListener(this.#type, listener),
    };
  }
}

/** Action sends on a click. */
export class Action extends Trigger {
  constructor(slot: number, element: number, opts: Opts) {
    super(slot, element, "click", opts);
  }

  protected override accept(event: globalThis.Event, element: Element): boolean {
    // Preventing the click would undo the change of a checkbox.
    const toggles = element instanceof HTMLInputElement && (element.type === "checkbox" || element.type === "radio");
    if (!toggles) event.preventDefault();
    return true;
  }
}

/**
 * DOMEvent sends on the named event. An element with a binding of "drop" takes what is dragged in the
 * page, and its argument is that; a finger drags what can be dragged in one with a binding of
 * "dragstart".
 */
export class DOMEvent extends Trigger {
  readonly #name: string;

  constructor(slot: number, element: number, name: string, opts: Opts) {
    super(slot, element, name, opts);
    this.#name = name;
  }

  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    const part = super.make(page, instance, element, at);
    const more =
      this.#name === "drop" ? [takesDrops(element)] : this.#name === "dragstart" ? [fingers(element), carries(element, instance)] : [];
    if (more.length === 0) return part;
    return {
      set: () => {},
      dispose: () => {
        for (const stop of more) stop();
        part.dispose();
      },
    };
  }

  protected override argument(element: Element, event: globalThis.Event): Value {
    return this.#name === "drop" ? carried(event) : super.argument(element, event);
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
    const mine = !this.arg || (carried(event) !== null && !event.defaultPrevented); // else it fell on an element within
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

/** takesDrops lets an element take what is dragged over it. It returns a function that stops that. */
function takesDrops(element: Element): () => void {
  element.addEventListener("dragover", takes);
  return () => element.removeEventListener("dragover", takes);
}

/** takes lets an element take what is dragged over it or dropped on it, unless it comes from elsewhere. */
function takes(event: globalThis.Event): boolean {
  if (event instanceof DragEvent && event.dataTransfer?.types.includes("Files") === true) return false;
  event.preventDefault();
  return true;
}

/** Key sends when the named key is pressed. */
export class Key extends Trigger {
  readonly #key;

  constructor(slot: number, element: number, name: string, opts: Opts) {
    super(slot, element, "keydown", opts);
    this.#key = parseKey(name);
  }

  protected override argument(): Value {
    return this.#key.name;
  }

  protected override accept(event: globalThis.Event): boolean {
    if (!(event instanceof KeyboardEvent) || !matches(this.#key, event)) return false;
    if (consumes(this.#key)) event.preventDefault();
    return true;
  }
}
