// The rows of a list: consecutive instances in an element.

import { stationary } from "../../data/order";
import { WireError } from "../../data/validate";
import { focused } from "../../focus";
import type { Mount, Row } from "../../wire";
import { reinherit, type Inherited } from "../inherited";
import type { Holder, Instance, PageContext } from "../instance";
import { move } from "../region";

/** Rows are the rendered rows of one list, in order. */
export class Rows implements Holder {
  readonly page: PageContext;
  readonly owner: Instance;
  readonly holder: Element;
  inherited: Inherited | null;
  #end: ChildNode | null; // the node after the last row, if the template has one
  #rows: Instance[] = [];

  constructor(page: PageContext, owner: Instance, holder: Element, inherited: Inherited | null) {
    this.page = page;
    this.owner = owner;
    this.holder = holder;
    this.inherited = inherited;
    this.#end = holder.firstChild;
  }

  get all(): readonly Instance[] {
    return this.#rows;
  }

  /** end is the node after the last row. */
  get end(): ChildNode | null {
    return this.#end;
  }

  /** show replaces the rows. A mount of an existing row keeps its DOM and gets the values. */
  show(rows: readonly Row[]): void {
    this.splice(0, this.#rows.length, rows);
  }

  /** reinherit is called when the template has changed, and with it perhaps what the rows inherit and what follows them. */
  reinherit(inherited: Inherited | null): void {
    const last = this.#rows.at(-1)?.roots.at(-1);
    this.#end = last === undefined ? this.holder.firstChild : last.nextSibling;
    while (this.#end instanceof Element && this.#end.classList.contains("ui-space")) this.#end = this.#end.nextSibling;
    for (const { roots } of this.#rows) reinherit(this.inherited, inherited, roots);
    this.inherited = inherited;
  }

  exchange(row: Instance, by: Instance): void {
    const first = row.roots[0] as ChildNode;
    for (const node of by.roots) move(this.holder, node, first);
    for (const node of row.roots) node.remove();
    this.#rows[this.#rows.indexOf(row)] = by;
    by.holder = this;
    by.parent = this.owner;
  }

  splice(start: number, remove: number, rows: readonly Row[]): void {
    if (start + remove > this.#rows.length) {
      throw new WireError(`list has ${this.#rows.length} rows, so ${remove} cannot be taken out from ${start}`);
    }
    const taken = this.#rows.slice(start, start + remove);
    const { next, origin, gone, kept } = this.#pick(taken, rows);
    for (const row of gone) {
      this.page.end(row);
      this.page.discard(row.roots);
    }
    this.#rows = this.#rows.slice(0, start).concat(next, this.#rows.slice(start + remove));
    this.#arrange(next, stationary(origin, focusedRow(next)), this.#rows[start + next.length]?.roots[0] ?? this.#end);
    for (const [row, mount] of kept) this.page.update(row, mount, this.inherited);
  }

  /** dispose ends the rows. The caller removes their nodes. */
  dispose(): void {
    for (const row of this.#rows) this.page.end(row);
    this.#rows = [];
  }

  /** pick finds the rows that stay, makes the new ones, and returns which are gone, and which get other values. */
  #pick(
    taken: readonly Instance[],
    rows: readonly Row[],
  ): { next: Instance[]; origin: number[]; gone: Instance[]; kept: [Instance, Mount][] } {
    const left = new Map(taken.map((row, i) => [row.id, i]));
    const origin = rows.map((row): number => {
      const id = typeof row === "number" ? row : row[1];
      const old = left.get(id);
      if (typeof row === "number" && old === undefined) throw new WireError(`row ${row} is not among the ${taken.length} rows taken out`);
      if (old === undefined || (typeof row !== "number" && !this.page.keeps(taken[old] as Instance, row))) return -1;
      left.delete(id);
      return old;
    });
    this.#recognise(taken, rows, left, origin);
    const kept: [Instance, Mount][] = [];
    const next = rows.map((row, i) => {
      const old = taken[origin[i] as number];
      if (typeof row === "number") return old as Instance;
      if (old === undefined) return this.#mount(row);
      kept.push([old, row]);
      return old;
    });
    return { next, origin, gone: [...left.values()].map((i) => taken[i] as Instance), kept };
  }

  /** recognise finds rows that show the same objects under other ids. An object may be in several rows. */
  #recognise(taken: readonly Instance[], rows: readonly Row[], left: Map<number, number>, origin: number[]): void {
    if (left.size === 0 || !rows.some((row, k) => typeof row !== "number" && origin[k] === -1)) return;
    const byObject = Map.groupBy(left.values(), (i) => (taken[i] as Instance).object);
    rows.forEach((row, k) => {
      if (typeof row === "number" || origin[k] !== -1) return;
      const candidates = byObject.get(row[3] ?? 0);
      const old = candidates?.[0];
      if (old === undefined || !this.page.keeps(taken[old] as Instance, row)) return;
      candidates?.shift();
      left.delete((taken[old] as Instance).id);
      origin[k] = old;
    });
  }

  #mount(row: Mount): Instance {
    const instance = this.page.mount(row, this.owner, this.inherited);
    instance.holder = this;
    return instance;
  }

  /** arrange puts rows before anchor, from the last to the first; those that stay are not touched. */
  #arrange(rows: readonly Instance[], stays: readonly boolean[], anchor: ChildNode | null): void {
    const here = (i: number): boolean => (rows[i] as Instance).roots[0]?.parentNode === this.holder;
    for (let end = rows.length; end > 0; ) {
      let start = end;
      while (start > 0 && !here(start - 1)) start--;
      if (start < end) {
        anchor = this.#insert(rows, start, end, anchor); // a run of new rows at once
      } else {
        const { roots } = rows[--start] as Instance;
        if (!stays[start]) for (const node of roots) move(this.holder, node, anchor);
        anchor = roots[0] as ChildNode;
      }
      end = start;
    }
  }

  /** insert puts the rows from start to end before anchor, and returns the first of their nodes. */
  #insert(rows: readonly Instance[], start: number, end: number, anchor: ChildNode | null): ChildNode | null {
    const fragment = document.createDocumentFragment();
    for (let i = start; i < end; i++) {
      for (const node of (rows[i] as Instance).roots) fragment.appendChild(node);
    }
    const first = fragment.firstChild;
    this.holder.insertBefore(fragment, anchor);
    return first;
  }
}

/** focusedRow returns the index of the row with the focus, or -1. */
function focusedRow(rows: readonly Instance[]): number {
  const active = focused();
  if (active === null || active === document.body) return -1;
  return rows.findIndex((row) => row.roots.some((node) => node.contains(active)));
}
