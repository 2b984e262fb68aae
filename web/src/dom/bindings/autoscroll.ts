// The option scrollOnOutput, of any binding.

import { follow } from "../autoscroll";
import { Stateful, type Instance, type Part, type PageContext } from "../instance";

/** AutoScroll keeps its element at its end. It has no value. */
export class AutoScroll extends Stateful {
  protected override make(_: PageContext, __: Instance, element: Element): Part {
    return { set: () => {}, dispose: follow(element) };
  }
}
