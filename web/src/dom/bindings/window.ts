// Windowed lists, which render only the rows near the viewport. Spacers stand for the others, so
// that the scroll bar covers the whole list.

import { Extents } from "../../data/extents";
import { missingRange, type Range } from "../../data/range";
import { focused } from "../../focus";
import type { WindowRows } from "../../wire";
import { keepAtEnd } from "../autoscroll";
import { hostOf } from "../inherited";
import type { Instance } from "../instance";
import { contentTop, selfAndAncestors, visible } from "../viewport";
import { anchor, type Hold } from "./anchor";
import { endKeys } from "./endkeys";
import type { Rows } from "./rows";
import { Space } from "./space";

const ANSWER_TIMEOUT = 1000; // milliseconds after which rows are requested again

/** Window renders some rows of a list, and requests others as the person scrolls. */
export class Window {
  readonly #rows: Rows;
  readonly #slot: () => number;
  readonly #extents = new Extents();
  readonly #closed = new AbortController();
  readonly #resizes = new ResizeObserver(() => this.#resized());
  #ranges: readonly Range[] = []; // the indexes of the rendered rows, in order
  #indexes: readonly number[] = []; // the same, of each rendered row
  #spaces: Space[] = []; // one before each range, and one at the end
  #hold: Hold | undefined; // keeps the position of what is visible; set while a batch changes rows
  #scrollers = new Set<EventTarget>(); // whose scrolling moves the list
  #serverKnows = false; // the server knows what this page displays
  #waiting: ReturnType<typeof setTimeout> | undefined; // set while an answer is pending
  #frame = 0; // the requested frame in which sizes are measured again
  #width = -1;

  constructor(rows: Rows, slot: () => number) {
    this.#rows = rows;
    this.#slot = slot;
    endKeys(rows.holder, this.#closed.signal);
  }

  /**
   * show replaces the rendered rows. Visible rows keep their position. fresh means that the server
   * does not know yet what is visible.
   */
  show({ total, segments }: WindowRows, fresh: boolean): void {
    if (fresh) this.#serverKnows = false;
    if (this.#hold === undefined) {
      if (this.#ranges.length > 0) this.#measure();
      this.#hold = anchor(this.#rows.holder, this.#rows.all, this.#extents);
      this.#rows.page.afterBatch(`${this.#rows.owner.template.key}, slot ${this.#slot()}`, () => this.#settle());
    }
    const before = new Map(Array.from(this.#at, ([index, row]) => [row, index]));
    this.#rows.show(segments.flatMap(({ rows }) => rows));
    this.#ranges = segments.map(({ start, rows }) => ({ start, end: start + rows.length }));
    this.#indexes = segments.flatMap(({ start, rows }) => rows.map((_, i) => start + i));
    this.#extents.resize(total, this.#moved(before, total));
    this.#fill();
    this.#answered();
  }

  /** close removes everything but the rendered rows. */
  close(): void {
    this.#closed.abort();
    this.#answered();
    cancelAnimationFrame(this.#frame);
    this.#resizes.disconnect();
    for (const space of this.#spaces) space.remove();
  }

  /** settle measures rows and restores the scroll position after the batch's DOM changes. */
  #settle(): void {
    const hold = this.#hold;
    this.#hold = undefined;
    if (this.#closed.signal.aborted || !this.#rows.holder.isConnected) return;
    if (this.#scrollers.size === 0) this.#watch();
    this.#measure();
    this.#extents.learn();
    this.#fill();
    if (!keepAtEnd(this.#rows.holder)) hold?.(this.#rows.all, (index) => this.#at.get(index));
    this.#check();
  }

  /** check requests missing rows near the viewport. */
  #check(): void {
    const view = visible(this.#rows.holder);
    if (view === null || this.#waiting !== undefined) return;
    const top = contentTop(this.#rows.holder);
    const seen = { start: this.#extents.at(view.top - top), end: this.#extents.at(view.bottom - top) + 1 };
    const range = missingRange(seen, this.#extents.length, this.#ranges);
    if (range === undefined) {
      const first = this.#ranges[0];
      if (!this.#serverKnows && first !== undefined) this.#serverKnows = this.#ask(first);
    } else if (this.#ask(range)) {
      this.#serverKnows = true;
      this.#waiting = setTimeout(() => {
        this.#waiting = undefined;
        this.#check();
      }, ANSWER_TIMEOUT);
    }
  }

  #ask({ start, end }: Range): boolean {
    const active = focused();
    const at = this.#rows.all.findIndex(({ roots }) => roots.some((node) => node.contains(active)));
    const keep = at < 0 ? undefined : (this.#rows.all[at] as Instance).id;
    return this.#rows.page.around.ask({
      type: "window",
      at: [this.#rows.owner.id, this.#slot()],
      start,
      count: end - start,
      ...(keep === undefined ? {} : { keep }),
    });
  }

  #answered(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
  }

  #watch(): void {
    const ancestors = selfAndAncestors(this.#rows.holder);
    this.#scrollers = new Set([document, ...ancestors]);
    const scrolled = ({ target }: globalThis.Event): void => {
      if (target !== null && this.#scrollers.has(target)) this.#check();
    };
    for (const root of new Set([document, ...ancestors.map((e) => e.getRootNode())])) {
      root.addEventListener("scroll", scrolled, { capture: true, passive: true, signal: this.#closed.signal });
    }
    for (const e of ancestors) this.#resizes.observe(e);
  }

  /** resized handles a change of sizes in the next frame, since it changes sizes in turn. */
  #resized(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const { width } = this.#rows.holder.getBoundingClientRect();
      if (width !== this.#width && this.#width > 0) this.#extents.forget();
      this.#width = width;
      this.#hold ??= anchor(this.#rows.holder, this.#rows.all, this.#extents);
      this.#settle();
    });
  }

  /** measure records the heights of the rendered rows, each up to the start of the next row. */
  #measure(): void {
    if (this.#rows.holder.getClientRects().length === 0) return;
    const at = this.#at;
    for (const { start, end } of this.#ranges) {
      const boxes = Array.from({ length: end - start }, (_, i) => hostOf((at.get(start + i) as Instance).roots)?.getBoundingClientRect());
      let gap = 0;
      boxes.forEach((box, i) => {
        const next = boxes[i + 1];
        if (box === undefined || (next === undefined && i + 1 < boxes.length)) return;
        if (next !== undefined) gap = Math.max(next.top - box.bottom, 0);
        this.#extents.measure(start + i, Math.max(next === undefined ? box.height + gap : next.top - box.top, 0));
      });
    }
  }

  /** fill puts spacers where rows are not rendered. */
  #fill(): void {
    const { length } = this.#extents;
    const at = this.#at;
    let used = 0;
    let end = 0;
    const put = (start: number, before: ChildNode | null): void => {
      if (start === end) return;
      const space = (this.#spaces[used++] ??= new Space(this.#rows.holder));
      space.insert(this.#rows.holder, before);
      space.size(this.#extents.offset(start) - this.#extents.offset(end), this.#extents.estimate);
    };
    for (const range of this.#ranges) {
      put(range.start, at.get(range.start)?.roots[0] ?? this.#rows.end);
      end = range.end;
    }
    put(length, this.#rows.end);
    for (const space of this.#spaces.splice(used)) space.remove();
  }

  /** at returns the rendered rows by their indexes. */
  get #at(): ReadonlyMap<number, Instance> {
    return new Map(this.#rows.all.map((row, i) => [this.#indexes[i] as number, row]));
  }

  /** moved returns the old index of the first row that moved, as far as the rendered rows tell. */
  #moved(before: ReadonlyMap<Instance, number>, total: number): number | undefined {
    let stayed: number | undefined;
    for (const [now, row] of this.#at) {
      const was = before.get(row);
      if (was === undefined) continue;
      if (was !== now) return was;
      stayed = was;
    }
    return stayed === undefined ? undefined : stayed + 1 + Math.max(this.#extents.length - total, 0);
  }
}
