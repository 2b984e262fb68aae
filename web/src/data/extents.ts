// The heights of the rows of a long list, of which only some have been measured.

/** The assumed height of a row before any is measured, in pixels. */
const GUESS = 32;

/** Browsers lay out about 17 million pixels at most; beyond that unrendered rows count for less. */
const MOST = 15_000_000;

/**
 * Extents maps rows to offsets and offsets to rows. A row that was not measured counts as the
 * average of the measured ones. Offsets are in pixels from the start of the first row.
 */
export class Extents {
  #measured = new Float64Array(0); // by row; NaN when not measured
  #offsets: Float64Array | undefined; // of the rows, and of the end; undefined after a change
  #average = GUESS;
  #basis = 0; // how many rows the average was taken from

  get length(): number {
    return this.#measured.length;
  }

  /** estimate is the assumed height of a row that was not measured. */
  get estimate(): number {
    return Math.min(this.#average, MOST / this.length);
  }

  /** measure records the height of a row. */
  measure(row: number, extent: number): void {
    if (this.#measured[row] === extent) return;
    this.#measured[row] = extent;
    this.#offsets = undefined;
  }

  /**
   * learn updates the average. It does so only when twice as many rows have been measured as the
   * last time, because each change moves the scroll bar.
   */
  learn(): void {
    const known = this.#measured.filter((extent) => !Number.isNaN(extent));
    if (known.length === 0 || known.length < 2 * this.#basis) return;
    this.#basis = known.length;
    this.#average = Math.max(known.reduce((sum, extent) => sum + extent) / known.length, 1);
    this.#offsets = undefined;
  }

  /** forget drops all measurements. The average stays until rows are measured again. */
  forget(): void {
    this.#measured.fill(NaN);
    this.#basis = 0;
    this.#offsets = undefined;
  }

  /** resize sets the number of rows; the rows from index at on move by the difference. */
  resize(length: number, at = this.length): void {
    const by = length - this.length;
    if (by === 0) return;
    const measured = new Float64Array(length).fill(NaN);
    const from = Math.min(Math.max(at, -by), this.length);
    measured.set(this.#measured.subarray(0, Math.min(from, from + by)));
    measured.set(this.#measured.subarray(from), from + by);
    this.#measured = measured;
    this.#offsets = undefined;
  }

  /** offset returns where a row starts; offset(length) is where the last row ends. */
  offset(row: number): number {
    return this.#sums()[row] as number;
  }

  /** at returns the row at an offset, clamped to the first and last row. */
  at(offset: number): number {
    const sums = this.#sums();
    let row = 0;
    for (let end = this.length; row + 1 < end; ) {
      const middle = (row + end) >> 1;
      if ((sums[middle] as number) <= offset) row = middle;
      else end = middle;
    }
    return row;
  }

  #sums(): Float64Array {
    if (this.#offsets !== undefined) return this.#offsets;
    const { estimate } = this;
    const sums = (this.#offsets = new Float64Array(this.length + 1));
    for (let row = 0; row < this.length; row++) {
      const extent = this.#measured[row] as number;
      sums[row + 1] = (sums[row] as number) + (Number.isNaN(extent) ? estimate : extent);
    }
    return sums;
  }
}
