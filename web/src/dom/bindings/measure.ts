// The size of an element, for the app.

import { Stateful, type Instance, type Part, type Of, type PageContext } from "../instance";

const PACE = 100; // milliseconds between two reports of a size at least

/** Measure reports how wide or high the content of its element is, in CSS pixels, when that changes. */
export class Measure extends Stateful {
  protected override make(page: PageContext, instance: Instance, element: Element, at: Of<this>): Part {
    let size: number | undefined;
    let reported: number | undefined; // to the object that the instance shows
    let timer: ReturnType<typeof setTimeout> | undefined;
    const report = (): void => {
      if (timer !== undefined || size === undefined || size === reported || !instance.live) return;
      // Without a connection, the next snapshot causes a report.
      if (!page.around.outbox.note(instance.id, at.binding.slot, size)) return;
      reported = size;
      timer = setTimeout(() => {
        timer = undefined;
        report();
      }, PACE);
    };
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      size = Math.round(this.name === "height" ? entry.contentRect.height : entry.contentRect.width);
      report();
    });
    observer.observe(element);
    const forget = (): void => {
      clearTimeout(timer);
      timer = reported = undefined;
      page.afterBatch(`${instance.template.key}, slot ${this.slot}`, report);
    };
    return {
      set: forget, // in a snapshot, whose session may be another one
      rebound: forget,
      dispose: () => {
        observer.disconnect();
        clearTimeout(timer);
      },
    };
  }
}
