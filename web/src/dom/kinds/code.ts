// Code: JavaScript that the app sends.

import { named } from "../../source";
import { scalarOf } from "../../wire";
import { Stateful, type Instance, type Part, type Stage } from "../instance";

/** Code runs its value when that changes, after the DOM of the batch is in place. */
export class Code extends Stateful {
  readonly #store: unknown;

  /** store is what the code gets under that name. */
  constructor(slot: number, element: number, store: unknown) {
    super(slot, element);
    this.#store = store;
  }

  protected override make(stage: Stage, instance: Instance, element: Element): Part {
    let last: unknown = null;
    return {
      set: (raw) => {
        const code = scalarOf(raw);
        if (code === last) return;
        last = code;
        if (typeof code !== "string" || code === "") return;
        const variable = { instance: instance.id, slot: this.slot, value: code };
        stage.afterwards(`${instance.template.key}, slot ${this.slot}`, () => {
          if (!instance.live) return;
          const run = new Function("element", "value", "variable", "store", named("code", instance.template.key, code));
          run(element, code, variable, this.#store);
        });
      },
      dispose: () => {},
    };
  }
}
