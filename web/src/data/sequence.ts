// Which batches can be applied to the page's state.

export type Verdict = "apply" | "ignore" | "resync";

/** Sequence tracks the numbers of snapshots and batches across connections. */
export class Sequence {
  #last: number | null = null; // null until a snapshot arrives

  /** last is the number of the last message applied, or null before the first snapshot. */
  get last(): number | null {
    return this.#last;
  }

  /** snapshot restarts the sequence. */
  snapshot(seq: number): void {
    this.#last = seq;
  }

  /** batch returns what to do with batch seq. After "resync", batches are ignored until a snapshot. */
  batch(seq: number): Verdict {
    if (this.#last === null) return "ignore";
    if (seq !== this.#last + 1) {
      this.#last = null;
      return "resync";
    }
    this.#last = seq;
    return "apply";
  }

  /** broken marks the page's state as invalid. It reports whether to request a snapshot. */
  broken(): boolean {
    const ask = this.#last !== null;
    this.#last = null;
    return ask;
  }
}
