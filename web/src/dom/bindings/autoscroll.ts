// The option scrollOnOutput, of any binding.

import { follow, keepAtEnd } from "../autoscroll";
import { Stateful, type Instance, type Part, type PageContext } from "../instance";

/** AutoScroll keeps its element at its end. It has no value. */
export class AutoScroll extends Stateful {
  protected override make(page: PageContext, instance: Instance, element: Element): Part {
    const dispose = follow(element);
    page.afterBatch(`${instance.template.key}, scrollOnOutput`, () => void keepAtEnd(element));
    return { set: () => {}, dispose };
  }
}
