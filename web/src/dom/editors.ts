// The controls that the person can edit. One set of capturing listeners on the document serves all
// of them, and runs before any listener of the app.

import type { Field } from "../data/field";
import type { Outbox } from "../data/outbox";
import type { Value } from "../data/value";
import { dropFocus } from "../focus";
import { put, type Control } from "./control";
import { labelOf } from "./label";
import type { Typing } from "./typing";

/** Entry is one editable control. */
export interface Entry {
  readonly element: Element;
  readonly control: Control;
  readonly field: Field;
  readonly keypress: boolean; // send at each input
  readonly key: string; // of the template
  readonly written: string; // the path, without options
  readonly kind: string; // as its template has it
}

/**
 * enter writes a value into a control as if the person had, without committing it. It reports
 * whether the control can hold the value; else the control displays what it did before.
 */
export function enter({ control, element, field }: Entry, value: Value): boolean {
  const fits = put(control, element, value);
  if (fits) field.change();
  else field.restore();
  return fits;
}

/** Editors maps DOM events to controls and reports their changes to the outbox. */
export class Editors {
  readonly typing: Typing;
  readonly #outbox: Outbox;
  readonly #byElement = new WeakMap<Element, Entry>();
  readonly #byField = new WeakMap<Field, Entry>();
  readonly #withOptions = new Set<Entry>();
  readonly #undefined = new Set<Entry>(); // custom elements that are not defined yet
  #composing: Entry | undefined;
  #left: Entry | undefined; // loses the focus just now: what it reports is not the person's

  constructor(outbox: Outbox, typing: Typing) {
    this.#outbox = outbox;
    this.typing = typing;
  }

  add(entry: Entry): void {
    this.#byElement.set(entry.element, entry);
    this.#byField.set(entry.field, entry);
    if (entry.control.options) this.#withOptions.add(entry);
    if (entry.element.localName.includes("-") && entry.element.matches(":not(:defined)")) this.#undefined.add(entry);
  }

  remove(entry: Entry): void {
    if (entry.field.held) labelOf(entry.element); // it may be needed when the element is gone
    this.#outbox.rebound(entry.field); // first: an unsent edit needs the entry
    this.#byElement.delete(entry.element);
    this.#withOptions.delete(entry);
    this.#undefined.delete(entry);
    if (this.#composing === entry) this.#composing = undefined;
  }

  /** rebound is called when a control writes to another object now. */
  rebound(entry: Entry): void {
    const { field, element } = entry;
    const typing = this.typing.element === element;
    if (this.#composing === entry) this.#composing = undefined;
    this.#outbox.rebound(field);
    // Further typing is not meant for the new object.
    if (!typing || !(element instanceof HTMLElement)) return;
    this.#left = entry;
    dropFocus(element);
    this.#left = undefined;
    field.restore(); // components put the text back that they have drawn
  }

  /** drops reports whether a control loses the focus because it writes to another object now. */
  drops(element: Element): boolean {
    return this.#left?.element === element;
  }

  entry(field: Field): Entry | undefined {
    return this.#byField.get(field);
  }

  of(element: Element): Entry | undefined {
    return this.#byElement.get(element);
  }

  /** listen installs the listeners, which signal removes. */
  listen(document: Document, signal: AbortSignal): void {
    this.typing.listen(document, signal);
    const on = (type: string, handle: (entry: Entry, event: globalThis.Event) => void): void => {
      document.addEventListener(
        type,
        (event) => {
          const entry = event.target instanceof Element ? this.#byElement.get(event.target) : undefined;
          if (entry !== undefined && entry !== this.#left) handle(entry, event);
        },
        { capture: true, passive: true, signal },
      );
    };
    const input = (entry: Entry, event: globalThis.Event): void => {
      // Some components report the same change twice.
      if (!entry.field.edited && !entry.field.differs()) return;
      entry.field.change();
      const whole = event.type === entry.control.input && this.#composing !== entry;
      if (entry.keypress && whole) this.#outbox.commit(entry.field);
    };
    const commit = (entry: Entry, event: globalThis.Event): void => {
      if (event.type !== entry.control.commit) return;
      entry.field.change();
      if (entry.field.editor.pending?.()) void this.#load(entry);
      else this.#outbox.commit(entry.field);
    };
    on("input", input);
    on("sl-input", input);
    on("change", commit);
    on("sl-change", commit);
    on("focusout", ({ field }) => this.#outbox.commit(field));
    on("keydown", ({ element, field }, event) => {
      const { key, isComposing } = event as KeyboardEvent;
      if (key === "Enter" && !isComposing && !element.localName.endsWith("textarea")) this.#outbox.commit(field);
    });
    on("compositionstart", (entry) => {
      this.#composing = entry;
    });
    on("compositionend", (entry) => {
      this.#composing = undefined;
      if (entry.keypress) this.#outbox.commit(entry.field);
    });
    on("ui-value-change", ({ element, field, control }, event) => {
      const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
      if (typeof detail === "object" && detail !== null && "value" in detail) {
        control.write(element, detail.value as Value);
      }
      field.change();
      this.#outbox.commit(field);
    });
  }

  /** load reads what the person has chosen in a control, and commits it. */
  async #load(entry: Entry): Promise<void> {
    const { element, control, field } = entry;
    const outcome = await control.load?.(element);
    // Removed controls and those that write to another object have given the choice back already.
    if (outcome === undefined || outcome === "replaced" || this.#byElement.get(element) !== entry || !field.edited) return;
    const reason = outcome !== "read" ? outcome : element.matches(":disabled") ? "gone" : undefined;
    if (reason === undefined) return this.#outbox.commit(field);
    const value = control.read(element) ?? null;
    control.write(element, null);
    this.#outbox.reject(field, value, reason);
  }

  /** toggle returns the field of a checkbox or switch; undefined for other elements. */
  toggle(element: Element): Field | undefined {
    const entry = this.#byElement.get(element);
    return entry !== undefined && typeof entry.control.read(element) === "boolean" ? entry.field : undefined;
  }

  /** sync detects a change that a script made without an event, before an event of the control is sent. */
  sync(element: Element): void {
    const entry = this.#byElement.get(element);
    // While its options are missing, a control's value is not the person's choice.
    if (entry === undefined || entry.control.options) return;
    if (!entry.field.edited && entry.field.differs()) entry.field.change();
  }

  /** defined writes the values of custom elements that have just been defined. */
  defined(): void {
    this.settle();
    for (const entry of this.#undefined) {
      if (entry.element.matches(":not(:defined)")) continue;
      this.#undefined.delete(entry);
      entry.field.restore();
    }
  }

  /** settle writes the values of controls whose options may have changed. */
  settle(): void {
    for (const { field } of this.#withOptions) field.restore();
  }

  /**
   * released is called for fields that display the server's value again. Radio buttons of a group
   * switch each other off without the server knowing, so the whole group is written again.
   */
  released(fields: readonly Field[]): void {
    for (const field of fields) {
      const element = this.#byField.get(field)?.element;
      if (!(element instanceof HTMLInputElement) || element.type !== "radio" || element.name === "") continue;
      const peers = element.ownerDocument.getElementsByName(element.name);
      for (const peer of peers) this.#byElement.get(peer)?.field.restore();
    }
  }
}
