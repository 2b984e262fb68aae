// Values of controls and text elements.

import { Field, type Editor } from "../../data/field";
import type { Value } from "../../data/value";
import { scalarOf, type Opts } from "../../wire";
import type { Control } from "../control";
import type { Entry } from "../editors";
import { Plain, Stateful, type Instance, type Part, type PageContext } from "../instance";

/** Display writes to a control that cannot be edited, such as a progress bar. */
export class Display extends Plain {
  readonly #control: Control;

  constructor(slot: number, element: number, control: Control) {
    super(slot, element);
    this.#control = control;
  }

  protected override apply(element: Element, raw: unknown): void {
    this.#control.write(element, scalarOf(raw));
  }
}

/** Edited is a control that the person can edit. */
export class Edited extends Stateful {
  readonly #control: Control;
  readonly #keypress: boolean;

  constructor(slot: number, element: number, control: Control, opts: Opts) {
    super(slot, element);
    this.#control = control;
    this.#keypress = opts.keypress;
  }

  protected override make(page: PageContext, instance: Instance, element: Element): Part {
    const control = this.#control;
    const { slot } = this;
    const editor: Editor = {
      get instance() {
        return instance.id;
      },
      slot,
      get owner() {
        return instance.owner(slot);
      },
      read: () => control.read(element),
      write: (value: Value) => control.write(element, value),
      pending: () => control.pending?.(element) === true,
    };
    const { key, written } = instance.template;
    const entry: Entry = {
      element, control, field: new Field(editor), keypress: this.#keypress, key, written: written[this.element] ?? "",
    };
    page.editors.add(entry);
    return {
      set: (raw) => entry.field.offer(scalarOf(raw)),
      rebound: () => page.editors.rebound(entry),
      renamed: () => page.outbox.renamed(entry.field),
      dispose: () => page.editors.remove(entry),
    };
  }
}
