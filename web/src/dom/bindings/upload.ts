// A file field whose files are uploaded.

import { Stateful, type Instance, type Part, type Of, type PageContext } from "../instance";

/** Upload sends the files that the person chooses. What the field displays is the app's. */
export class Upload extends Stateful {
  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    const input = element as HTMLInputElement;
    const each = (): boolean => at.binding.opts.arg; // the app gets each file and displays none in the field
    let running: symbol[] = [];
    let cancels: (() => void)[] = []; // of what the next choice replaces
    let offered: unknown; // by the server, while a file is on its way; undefined: nothing
    const show = (name: unknown): void => {
      // A page can only clear a file field.
      if (input.files?.[0]?.name !== name) input.value = "";
    };
    const listener = (): void => {
      const files = [...(input.files ?? [])]; // which the field forgets when it is cleared
      if (!input.multiple || files.length === 0) {
        running = [];
        for (const cancel of cancels) cancel();
        cancels = [];
      }
      if (files.length === 0) offered = undefined;
      const runs = files.map((file) => ({ file, run: Symbol() }));
      running.push(...runs.map(({ run }) => run));
      for (const { file, run } of runs) {
        const cancel = page.around.uploads.start(file, instance.id, at.binding.slot, (arrived) => {
          if (!running.includes(run)) return;
          running = running.filter((other) => other !== run);
          if (running.length > 0) return;
          if (input.multiple) cancels = [];
          if (offered !== undefined) show(offered);
          else if (!arrived || each()) input.value = "";
          offered = undefined;
        });
        cancels.push(cancel);
      }
    };
    input.addEventListener("change", listener);
    return {
      set: (name) => {
        if (running.length > 0) offered = name;
        else if (!each()) show(name);
      },
      rebound: () => {
        running = [];
        cancels = [];
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
