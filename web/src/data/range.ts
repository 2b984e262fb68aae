// Which rows of a windowed list to ask for.

/** Range is the indexes from start up to, but without, end. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The least that is asked for at once. */
const LEAST = 36;

/** The most that the server shows one page. */
const MOST = 1000;

/** Ranges begin at multiples of this, so that stripes, and grids of 2, 3, 4 or 6 columns, do not shift as rows come and go above. */
const STEP = 12;

/**
 * need says which of total rows to ask for when those in seen can be seen and
 * those in shown are there, which are in order; undefined when enough is
 * there. Enough is half a screen more on both sides; asked for is a whole one.
 */
export function need(seen: Range, total: number, shown: readonly Range[]): Range | undefined {
  if (total === 0) return undefined;
  const screen = Math.max(seen.end - seen.start, 1);
  const near = within(seen, Math.ceil(screen / 2), total);
  if (shown.some(({ start, end }) => start <= near.start && near.end <= end)) return undefined;
  const { start, end } = within(seen, Math.max(screen, Math.ceil((LEAST - screen) / 2)), total);
  const first = start - (start % STEP);
  return { start: first, end: Math.min(end, first + MOST) };
}

function within({ start, end }: Range, more: number, total: number): Range {
  return { start: Math.max(start - more, 0), end: Math.min(end + more, total) };
}
