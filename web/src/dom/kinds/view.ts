// Views: an element that is replaced by an instance.

import { mountOf } from "../../wire";
import { hostOf } from "../dress";
import { Stateful, type Binding, type Instance, type Part, type Stage } from "../instance";
import { Region } from "../region";

/** View binds an element that gives its place to the mounted instance. */
export class View extends Stateful {
  readonly #followers: readonly Binding[];

  /** followers are the other bindings of the same element: they act on whatever stands there. */
  constructor(slot: number, element: number, followers: readonly Binding[]) {
    super(slot, element);
    this.#followers = followers;
  }

  protected override make(stage: Stage, instance: Instance, target: Element): Part {
    let begun = false; // the followers are bound, after the view's first value
    const follow = (): void => {
      const host = hostOf(region.roots) ?? target;
      if (instance.targets[this.element] === host) return;
      if (begun) for (const f of this.#followers) f.unbind(instance);
      instance.targets[this.element] = host;
      if (begun) for (const f of this.#followers) instance.bind(stage, f);
    };
    const region = new Region(stage, instance, target, true, follow);
    return {
      set: (raw) => {
        region.show(mountOf(raw));
        begun = true;
      },
      children: () => (region.shown === null ? [] : [region.shown]),
      dispose: () => region.dispose(),
    };
  }
}
