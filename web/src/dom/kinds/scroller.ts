// The option scrollOnOutput, of any binding.

import { follow } from "../follow";
import { Stateful, type Instance, type Part, type Stage } from "../instance";

/** Scroller keeps its element at its end. It has no value. */
export class Scroller extends Stateful {
  protected override make(_: Stage, __: Instance, element: Element): Part {
    return { set: () => {}, dispose: follow(element) };
  }
}
