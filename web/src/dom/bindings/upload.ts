// A file field whose files are uploaded.

import { Stateful, type Instance, type Part, type Of, type PageContext } from "../instance";

/** Upload sends the files that the person chooses. What the field displays is the app's. */
export class Upload extends Stateful {
  readonly #each: boolean; // the app gets each file and displays none in the field

  constructor(slot: number, element: number, each: boolean) {
    super(slot, element);
    this.#each = each;
  }

  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    const input = element as HTMLInputElement;
    let running: symbol[] = [];
    let offered: unknown; // by the server, while a file is on its way; undefined: nothing
    const show = (name: unknown): void => {
      // A page can only clear a file field.
      if (input.files?.[0]?.name !== name) input.value = "";
    };
    const listener = (): void => {
      for (const file of input.files ?? []) {
        const run = Symbol();
        running.push(run);
        page.around.uploads.start(file, { instance: instance.id, slot: at.binding.slot }, (arrived) => {
          if (!running.includes(run)) return;
          running = running.filter((other) => other !== run);
          if (running.length > 0) return;
          if (offered !== undefined) show(offered);
          else if (!arrived || at.binding.#each) input.value = "";
          offered = undefined;
        });
      }
    };
    input.addEventListener("change", listener);
    return {
      set: (name) => {
        if (running.length > 0) offered = name;
        else if (!at.binding.#each) show(name);
      },
      rebound: () => {
        running = [];
        offered = undefined;
        input.value = "";
      },
      dispose: () => {
        running = [];
        input.removeEventListener("change", listener);
      },
    };
  }
}
