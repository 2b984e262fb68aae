// How much room many rows take, of which only some have been measured.

/** What a row is taken to need before any is measured, in pixels. */
const GUESS = 32;

/** Browsers lay out no more than some 17 million pixels; beyond, rows that are not shown count for less. */
const MOST = 15_000_000;

/**
 * Extents knows where each of n rows begins, and which row is where. A row
 * that was not measured counts as the average of those that were. All is in
 * pixels from the first row's begin.
 */
export class Extents {
  #length = 0;
  #measured = new Float64Array(0); // by row; NaN: not measured
  #sums = new Float64Array(1); // Fenwick trees: of what was measured
  #counts = new Float64Array(1); // and of how many rows were
  #average = GUESS;
  #basis = 0; // how many rows the average is of

  get length(): number {
    return this.#length;
  }

  /** estimate is what a row counts that was not measured. */
  get estimate(): number {
    return Math.min(this.#average, MOST / this.#length);
  }

  /** measure records the extent of a row. */
  measure(row: number, extent: number): void {
    const old = this.#measured[row] as number;
    if (old === extent) return;
    this.#measured[row] = extent;
    add(this.#sums, row, Number.isNaN(old) ? extent : extent - old);
    if (Number.isNaN(old)) add(this.#counts, row, 1);
  }

  /**
   * learn lets what was measured count for the other rows. The average is
   * taken anew only when twice as many rows are known, since whenever it
   * changes the scroll bar does, too.
   */
  learn(): void {
    const known = sum(this.#counts, this.#length);
    if (known === 0 || known < 2 * this.#basis) return;
    this.#basis = known;
    this.#average = Math.max(sum(this.#sums, this.#length) / known, 1);
  }

  /** forget drops all that was measured, as it is not true any more. The average stays until others are. */
  forget(): void {
    this.#measured.fill(NaN);
    this.#basis = 0;
    this.#build();
  }

  /** resize sets the number of rows; those that were from at on have moved by the difference. */
  resize(length: number, at = this.#length): void {
    const by = length - this.#length;
    if (by === 0) return;
    const measured = new Float64Array(length).fill(NaN);
    const from = Math.min(Math.max(at, -by), this.#length);
    measured.set(this.#measured.subarray(0, Math.min(from, from + by)));
    measured.set(this.#measured.subarray(from), from + by);
    this.#measured = measured;
    this.#length = length;
    this.#build();
  }

  /** offset is where a row begins; that of length is where the last one ends. */
  offset(row: number): number {
    return sum(this.#sums, row) + (row - sum(this.#counts, row)) * this.estimate;
  }

  /** at is the row at an offset; the first or the last one for what is beyond. */
  at(offset: number): number {
    const estimate = this.estimate;
    let row = 0;
    let left = offset;
    for (let width = powerOf2(this.#length); width > 0; width >>= 1) {
      const next = row + width;
      if (next > this.#length) continue;
      const extent = (this.#sums[next] as number) + (width - (this.#counts[next] as number)) * estimate;
      if (extent > left) continue;
      row = next;
      left -= extent;
    }
    return Math.max(Math.min(row, this.#length - 1), 0);
  }

  #build(): void {
    this.#sums = new Float64Array(this.#length + 1);
    this.#counts = new Float64Array(this.#length + 1);
    for (let i = 1; i <= this.#length; i++) {
      const extent = this.#measured[i - 1] as number;
      if (!Number.isNaN(extent)) {
        (this.#sums[i] as number) += extent;
        (this.#counts[i] as number) += 1;
      }
      const parent = i + (i & -i);
      if (parent > this.#length) continue;
      (this.#sums[parent] as number) += this.#sums[i] as number;
      (this.#counts[parent] as number) += this.#counts[i] as number;
    }
  }
}

function add(tree: Float64Array, index: number, value: number): void {
  for (let i = index + 1; i < tree.length; i += i & -i) (tree[i] as number) += value;
}

/** sum is that of the elements before index. */
function sum(tree: Float64Array, index: number): number {
  let total = 0;
  for (let i = index; i > 0; i -= i & -i) total += tree[i] as number;
  return total;
}

/** powerOf2 is the greatest power of 2 that is not above n. */
function powerOf2(n: number): number {
  return n < 1 ? 0 : 2 ** Math.floor(Math.log2(n));
}
