// Views: elements that are replaced by an instance.

import { mountOf, type Bind } from "../../wire";
import { renewID } from "../ids";
import { hostOf } from "../inherited";
import { Stateful, type Binding, type Instance, type Part, type Of, type PageContext } from "../instance";
import { Region } from "../region";

/** View replaces its element by the mounted instance. */
export class View extends Stateful {
  readonly #followers: readonly Binding[];

  /** followers are the other bindings of the same element. They act on its replacement. */
  constructor(slot: number, bind: Bind, followers: readonly Binding[]) {
    super(slot, bind);
    this.#followers = followers;
  }

  protected override make(page: PageContext, instance: Instance, target: Element, at: Of<this>): Part {
    let begun = false; // the followers are bound, after the view's first value
    const follow = (): void => {
      const { element } = at.binding;
      const host = hostOf(region.roots) ?? target;
      if (instance.targets[element] === host) return;
      if (begun) for (const f of at.binding.#followers) f.unbind(instance);
      instance.targets[element] = host;
      if (begun) for (const f of at.binding.#followers) instance.bind(page, f);
    };
    const region = new Region(page, instance, target, true, follow);
    return {
      set: (raw) => {
        region.show(mountOf(raw));
        begun = true;
      },
      renamed: (old) => renewID(target, instance, old),
      roots: () => region.roots,
      placeholder: target,
      taken: () => region.reinherit(),
      children: () => (region.instance === null ? [] : [region.instance]),
      dispose: () => region.dispose(),
    };
  }
}
