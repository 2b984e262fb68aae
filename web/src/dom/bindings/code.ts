// JavaScript that the app sends.

import { named } from "../../source";
import { ran } from "../observed";
import { onChange, Stateful, type Instance, type Part, type Of, type PageContext } from "../instance";

/** Code runs its value whenever it changes, after the batch's DOM changes. */
export class Code extends Stateful {
  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    return onChange((code) => {
      if (typeof code !== "string" || code === "") return;
      if (page.around.skipped !== undefined) return page.around.skipped(instance.template.key);
      const variable = { instance: instance.id, slot: at.binding.slot, value: code };
      page.afterBatch(`${instance.template.key}, slot ${this.slot}`, () => {
        if (!instance.live) return;
        ran();
        const run = new Function("element", "value", "variable", "store", named("code", instance.template.key, code));
        run(element, code, variable, page.around.store);
      });
    });
  }
}
