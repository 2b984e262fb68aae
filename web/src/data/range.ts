// Which rows of a windowed list to request.

/** Range is the indexes from start up to but excluding end. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The fewest rows in one request. */
const MIN_ROWS = 36;

/** The most rows that the server sends to one page. */
const MAX_ROWS = 1000;

/** Ranges start at multiples of this, so that stripes and grids of 2, 3, 4 or 6 columns do not shift. */
const STEP = 12;

/**
 * missingRange returns which of total rows to request, given the rows that are visible, and those that
 * are rendered, in order; undefined when enough are rendered. Enough is one screen beyond the visible
 * rows on both sides; a request asks for three screens on both sides.
 */
export function missingRange(visible: Range, total: number, rendered: readonly Range[]): Range | undefined {
  if (total === 0) return undefined;
  const screen = Math.max(visible.end - visible.start, 1);
  const near = within(visible, screen, total);
  if (rendered.some(({ start, end }) => start <= near.start && near.end <= end)) return undefined;
  const { start, end } = within(visible, Math.max(3 * screen, Math.ceil((MIN_ROWS - screen) / 2)), total);
  const first = start - (start % STEP);
  return { start: first, end: Math.min(end, first + MAX_ROWS) };
}

/** within adds more rows on both sides. */
function within({ start, end }: Range, more: number, total: number): Range {
  return { start: Math.max(start - more, 0), end: Math.min(end + more, total) };
}
