// Values of controls and text elements.

import { Field, type Editor } from "../../data/field";
import { same, type Value } from "../../data/value";
import { scalarOf, type Bind } from "../../wire";
import type { Control } from "../control";
import type { Entry } from "../editors";
import { Plain, Stateful, type Binding, type Instance, type Part, type Of, type PageContext } from "../instance";

/** Display writes to a control that cannot be edited, such as a progress bar. */
export class Display extends Plain {
  readonly #control: Control;

  constructor(slot: number, bind: Bind, control: Control) {
    super(slot, bind);
    this.#control = control;
  }

  protected override apply(element: Element, raw: unknown): void {
    this.#control.write(element, scalarOf(raw));
  }
}

/** Edited is a control that the person can edit. */
export class Edited extends Stateful {
  readonly #control: Control;

  constructor(slot: number, bind: Bind, control: Control) {
    super(slot, bind);
    this.#control = control;
  }

  override follows(old: Binding): boolean {
    return old instanceof Edited && old.#control === this.#control;
  }

  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    const control = this.#control;
    const editor: Editor = {
      get instance() {
        return instance.id;
      },
      get slot() {
        return at.binding.slot;
      },
      get owner() {
        return instance.owner(at.binding.slot);
      },
      read: () => control.read(element),
      write: (value: Value) => control.write(element, value),
      pending: () => control.pending?.(element) === true,
    };
    const field = new Field(editor, page.around.outbox.edited);
    const entry: Entry = {
      element, control, field, key: instance.template.key,
      get keypress() {
        return at.binding.opts.keypress;
      },
      get written() {
        return instance.template.elements[at.binding.element]?.getAttribute("ui-value")?.split("?", 1)[0]?.trim() ?? "";
      },
      get kind() {
        return instance.template.leaves.find(({ target }) => target === at.binding.element)?.kind ?? "";
      },
    };
    page.around.editors.add(entry);
    return {
      set: (raw) => field.offer(scalarOf(raw)),
      shows: (raw) => [field.server, control.read(element)].some((value) => same(value, scalarOf(raw))),
      rebound: () => page.around.editors.rebound(entry),
      renamed: () => page.around.outbox.renamed(field),
      dispose: () => page.around.editors.remove(entry),
    };
  }
}
