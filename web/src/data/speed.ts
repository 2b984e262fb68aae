// How fast the person scrolls.

const SPAN = 100; // milliseconds over which the speed is averaged

/** Speed computes a speed from recent positions. */
export class Speed {
  #samples: { readonly time: number; readonly position: number }[] = [];

  /**
   * at records a position at a time in milliseconds, and returns the speed in positions per second;
   * 0 when there has been no other position in the last tenth of a second.
   */
  at(position: number, time: number): number {
    this.#samples = this.#samples.filter((s) => time - s.time <= SPAN);
    this.#samples.push({ time, position });
    const first = this.#samples[0] as { time: number; position: number };
    return time - first.time < 1 ? 0 : ((position - first.position) * 1000) / (time - first.time);
  }
}
