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
  #length = 0;
  #measured = new Float64Array(0); // by row; NaN when not measured
  #sums = new Float64Array(1); // Fenwick tree of the measured heights
  #counts = new Float64Array(1); // Fenwick tree of how many rows were measured
  #average = GUESS;
  #basis = 0; // how many rows the average was taken from

  get length(): number {
    return this.#length;
  }

  /** estimate is the assumed height of a row that was not measured. */
  get estimate(): number {
    return Math.min(this.#average, MOST / this.#length);
  }

  /** measure records the height of a row. */
  measure(row: number, extent: number): void {
    const old = this.#measured[row] as number;
    if (old === extent) return;
    this.#measured[row] = extent;
    add(this.#sums, row, Number.isNaN(old) ? extent : extent - old);
    if (Number.isNaN(old)) add(this.#counts, row, 1);
  }

  /**
   * learn updates the average. It does so only when twice as many rows have been measured as the
   * last time, because each change moves the scroll bar.
   */
  learn(): void {
    const known = sum(this.#counts, this.#length);
    if (known === 0 || known < 2 * this.#basis) return;
    this.#basis = known;
    this.#average = Math.max(sum(this.#sums, this.#length) / known, 1);
  }

  /** forget drops all measurements. The average stays until rows are measured again. */
  forget(): void {
    this.#measured.fill(NaN);
    this.#basis = 0;
    this.#build();
  }

  /** resize sets the number of rows; the rows from index at on move by the difference. */
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

  /** offset returns where a row starts; offset(length) is where the last row ends. */
  offset(row: number): number {
    return sum(this.#sums, row) + (row - sum(this.#counts, row)) * this.estimate;
  }

  /** at returns the row at an offset, clamped to the first and last row. */
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

/** sum returns the sum of the elements before index. */
function sum(tree: Float64Array, index: number): number {
  let total = 0;
  for (let i = index; i > 0; i -= i & -i) total += tree[i] as number;
  return total;
}

/** powerOf2 returns the greatest power of 2 that is at most n; 0 when n < 1. */
function powerOf2(n: number): number {
  return n < 1 ? 0 : 2 ** Math.floor(Math.log2(n));
}
