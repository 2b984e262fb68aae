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

/** How long the rows ahead of the person last at the current speed, in seconds: when to request more, and how many. */
const AHEAD = 0.3;
const REQUEST_AHEAD = 0.8;

/** The most screens to request ahead because of the speed. */
const MAX_AHEAD = 8;

/** Beyond this speed, in screens per second, the person drags the scroll bar and may end up anywhere. */
const MAX_SPEED = 60;

/**
 * missingRange returns which of total rows to request, given the rows that are visible, those that
 * are rendered, in order, and the speed of scrolling in rows per second, negative towards the
 * start; undefined when enough are rendered. Enough is one screen beyond the visible rows on both
 * sides; a request asks for three screens on both sides. In the direction of scrolling both are
 * more, by the rows that will pass meanwhile.
 */
export function missingRange(
  visible: Range, total: number, rendered: readonly Range[], speed = 0,
): Range | undefined {
  if (total === 0) return undefined;
  const screen = Math.max(visible.end - visible.start, 1);
  const ahead = (seconds: number): number =>
    Math.abs(speed) > MAX_SPEED * screen ? 0 : Math.sign(speed) * Math.min(Math.ceil(Math.abs(speed) * seconds), MAX_AHEAD * screen);
  const near = within(visible, screen, ahead(AHEAD), total);
  if (rendered.some(({ start, end }) => start <= near.start && near.end <= end)) return undefined;
  const more = Math.max(3 * screen, Math.ceil((MIN_ROWS - screen) / 2));
  const { start, end } = within(visible, more, ahead(REQUEST_AHEAD), total);
  const first = start - (start % STEP);
  return { start: first, end: Math.min(end, first + MAX_ROWS) };
}

/** within adds more rows on both sides, and ahead rows at the end, or at the start if negative. */
function within({ start, end }: Range, more: number, ahead: number, total: number): Range {
  return { start: Math.max(start - more + Math.min(ahead, 0), 0), end: Math.min(end + more + Math.max(ahead, 0), total) };
}
