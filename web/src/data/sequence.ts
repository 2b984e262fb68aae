// Which messages still fit the picture that the page has.

/** What to do with a batch. */
export type Verdict = "apply" | "ignore" | "resync";

/** Sequence follows the numbers of snapshots and batches on one connection after another. */
export class Sequence {
  #last: number | null = null; // null: nothing fits until a snapshot comes

  /** last is the number of the last message applied, or null before the first snapshot. */
  get last(): number | null {
    return this.#last;
  }

  /** snapshot begins anew. */
  snapshot(seq: number): void {
    this.#last = seq;
  }

  /** batch judges the batch numbered seq. "resync" is said once; what follows is ignored until a snapshot. */
  batch(seq: number): Verdict {
    if (this.#last === null) return "ignore";
    if (seq !== this.#last + 1) {
      this.#last = null;
      return "resync";
    }
    this.#last = seq;
    return "apply";
  }

  /** broken says that the picture can no longer be trusted. It reports whether a snapshot has to be asked for. */
  broken(): boolean {
    const ask = this.#last !== null;
    this.#last = null;
    return ask;
  }
}
