// Windowed lists: only the rows near what the person sees are there. Spaces
// stand for the others, so the scroll bar is that of the whole list.

import { Extents } from "../../data/extents";
import { need, type Range } from "../../data/range";
import type { WindowRows } from "../../wire";
import { hostOf } from "../dress";
import type { Instance, Stage } from "../instance";
import { around, visible } from "../viewport";
import { Anchor } from "./anchor";
import type { Rows } from "./rows";
import { Space } from "./space";

const PATIENCE = 1000; // milliseconds for an answer, after which rows are asked for again

/** Window shows some rows of a list, and asks for others as the person scrolls. */
export class Window {
  readonly #stage: Stage;
  readonly #owner: Instance;
  readonly #slot: number;
  readonly #holder: Element;
  readonly #rows: Rows;
  readonly #extents = new Extents();
  readonly #resizes = new ResizeObserver(() => this.#resized());
  #shown: readonly Range[] = []; // which indexes the rows have, in order
  #spaces: Space[] = []; // one before each of these ranges, and one at the end
  #anchor: Anchor | undefined; // what is to stay where it is; set while a batch changes rows
  #around = new Set<EventTarget>(); // whose scrolling moves the list
  #roots: EventTarget[] = []; // where that is heard
  #told = false; // the server knows what this page sees
  #waiting: ReturnType<typeof setTimeout> | undefined; // for an answer
  #frame = 0; // a frame is asked for, in which sizes count anew
  #width = -1;
  #open = true;

  constructor(stage: Stage, owner: Instance, slot: number, holder: Element, rows: Rows) {
    this.#stage = stage;
    this.#owner = owner;
    this.#slot = slot;
    this.#holder = holder;
    this.#rows = rows;
  }

  /** show shows other rows. What the person sees stays where it is. fresh: the server does not know yet what that is. */
  show({ total, segments }: WindowRows, fresh: boolean): void {
    if (fresh) this.#told = false;
    if (this.#anchor === undefined) {
      if (this.#shown.length > 0) this.#measure();
      this.#anchor = Anchor.take(this.#holder, this.#rows.all, this.#extents);
      this.#stage.afterwards(`${this.#owner.template.key}, slot ${this.#slot}`, () => this.#settle());
    }
    const before = this.#indexes();
    this.#rows.show(segments.flatMap(({ rows }) => rows));
    this.#shown = segments.map(({ start, rows }) => ({ start, end: start + rows.length }));
    this.#extents.resize(total, this.#moved(before, total));
    this.#fill();
    this.#answered();
  }

  /** close leaves the rows that are shown, and frees all else. */
  close(): void {
    this.#open = false;
    this.#answered();
    cancelAnimationFrame(this.#frame);
    this.#resizes.disconnect();
    for (const root of this.#roots) root.removeEventListener("scroll", this.#scrolled, true);
    for (const space of this.#spaces) space.remove();
  }

  /** settle makes everything fit when the DOM of the batch is in place. */
  #settle(): void {
    const anchor = this.#anchor;
    this.#anchor = undefined;
    if (!this.#open || !this.#holder.isConnected) return;
    if (this.#roots.length === 0) this.#watch();
    this.#measure();
    this.#extents.learn();
    this.#fill();
    anchor?.hold(this.#rows.all, (index) => this.#row(index));
    this.#check();
  }

  /** check asks for the rows that are missing near what the person sees. */
  #check(): void {
    if (this.#waiting !== undefined) return;
    const view = visible(this.#holder);
    if (view === null) return;
    const { top } = this.#holder.getBoundingClientRect();
    const seen = { start: this.#extents.at(view.top - top), end: this.#extents.at(view.bottom - top) + 1 };
    const range = need(seen, this.#extents.length, this.#shown);
    if (range === undefined) {
      const shown = this.#shown[0];
      if (!this.#told && shown !== undefined) this.#told = this.#ask(shown);
    } else if (this.#ask(range)) {
      this.#told = true;
      this.#waiting = setTimeout(() => {
        this.#waiting = undefined;
        this.#check();
      }, PATIENCE);
    }
  }

  #ask({ start, end }: Range): boolean {
    const active = document.activeElement;
    const focused = this.#rows.all.findIndex(({ roots }) => roots.some((node) => node.contains(active)));
    const keep = focused < 0 ? undefined : (this.#rows.all[focused] as Instance).id;
    return this.#stage.ask({
      type: "window",
      at: [this.#owner.id, this.#slot],
      start,
      count: end - start,
      ...(keep === undefined ? {} : { keep }),
    });
  }

  #answered(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
  }

  readonly #scrolled = ({ target }: globalThis.Event): void => {
    if (target !== null && this.#around.has(target)) this.#check();
  };

  #watch(): void {
    const ancestors = around(this.#holder);
    this.#around = new Set([document, ...ancestors]);
    this.#roots = [...new Set(ancestors.map((e) => e.getRootNode()).concat(document))];
    for (const root of this.#roots) root.addEventListener("scroll", this.#scrolled, { capture: true, passive: true });
    this.#resizes.observe(this.#holder);
    for (const e of ancestors) this.#resizes.observe(e);
  }

  /** resized: rows, or what the person sees of them, have other sizes. What follows changes sizes again, so it waits for a frame. */
  #resized(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const { width } = this.#holder.getBoundingClientRect();
      if (width !== this.#width && this.#width > 0) this.#extents.forget();
      this.#width = width;
      this.#anchor ??= Anchor.take(this.#holder, this.#rows.all, this.#extents);
      this.#settle();
    });
  }

  /** measure takes the extents of the rows that are there. The extent of a row goes to the begin of the next. */
  #measure(): void {
    if (this.#holder.getClientRects().length === 0) return;
    let k = 0;
    for (const { start, end } of this.#shown) {
      const boxes = this.#rows.all.slice(k, k + end - start).map(boxOf);
      k += end - start;
      let gap = 0;
      boxes.forEach((box, i) => {
        const next = boxes[i + 1];
        if (box === undefined || (next === undefined && i + 1 < boxes.length)) return;
        if (next !== undefined) gap = Math.max(next.top - box.bottom, 0);
        this.#extents.measure(start + i, Math.max(next === undefined ? box.height + gap : next.top - box.top, 0));
      });
    }
  }

  /** fill puts spaces where rows are not shown. */
  #fill(): void {
    const { length } = this.#extents;
    let used = 0;
    let end = 0;
    let k = 0;
    const put = (start: number, before: ChildNode | null): void => {
      if (start === end) return;
      const space = (this.#spaces[used++] ??= new Space(this.#holder));
      space.place(this.#holder, before);
      space.size(this.#extents.offset(start) - this.#extents.offset(end), this.#extents.estimate);
    };
    for (const range of this.#shown) {
      put(range.start, this.#rows.all[k]?.roots[0] ?? this.#rows.end);
      end = range.end;
      k += range.end - range.start;
    }
    put(length, this.#rows.end);
    for (const space of this.#spaces.splice(used)) space.remove();
  }

  /** row is the row with an index, when it is shown. */
  #row(index: number): Instance | undefined {
    let k = 0;
    for (const { start, end } of this.#shown) {
      if (index >= start && index < end) return this.#rows.all[k + index - start];
      k += end - start;
    }
    return undefined;
  }

  /** indexes are those of the rows that are shown. */
  #indexes(): Map<Instance, number> {
    const indexes = new Map<Instance, number>();
    let k = 0;
    for (const { start, end } of this.#shown) {
      for (let i = start; i < end; i++) indexes.set(this.#rows.all[k++] as Instance, i);
    }
    return indexes;
  }

  /** moved is the old index of the first row that has moved, as far as the rows that are still shown tell. */
  #moved(before: ReadonlyMap<Instance, number>, total: number): number | undefined {
    let stayed: number | undefined;
    for (const [row, now] of this.#indexes()) {
      const was = before.get(row);
      if (was === undefined) continue;
      if (was !== now) return was;
      stayed = was;
    }
    return stayed === undefined ? undefined : stayed + 1 + Math.max(this.#extents.length - total, 0);
  }
}

function boxOf({ roots }: Instance): DOMRect | undefined {
  return hostOf(roots)?.getBoundingClientRect();
}
