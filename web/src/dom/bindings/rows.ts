// The rows of a list: consecutive instances in an element.

import { stationary } from "../../data/order";
import { WireError } from "../../data/validate";
import { focused } from "../../focus";
import type { Mount, Row } from "../../wire";
import type { Inherited } from "../inherited";
import type { Instance, PageContext, RowHolder } from "../instance";
import { update } from "../region";

/** Rows are the rendered rows of one list, in order. */
export class Rows implements RowHolder {
  readonly #page: PageContext;
  readonly #owner: Instance;
  readonly #holder: Element;
  readonly inherited: Inherited | null;
  readonly #end: ChildNode | null; // the node after the last row, if the template has one
  #rows: Instance[] = [];

  constructor(page: PageContext, owner: Instance, holder: Element, inherited: Inherited | null) {
    this.#page = page;
    this.#owner = owner;
    this.#holder = holder;
    this.inherited = inherited;
    this.#end = holder.firstChild;
  }

  /** all returns the instances of the rows. */
  get all(): readonly Instance[] {
    return this.#rows;
  }

  /** end is the node after the last row. */
  get end(): ChildNode | null {
    return this.#end;
  }

  /** show replaces the rows. A mount of an existing row keeps its DOM and gets the values. */
  show(rows: readonly Row[]): void {
    const known = new Map(this.#rows.map((row) => [row.id, row]));
    const objects = new Map(this.#rows.map((row) => [row.object, row]));
    const kept: [Instance, Mount][] = [];
    const next = rows.map((row): Row => {
      if (typeof row === "number") return row;
      const instance = known.get(row[1]) ?? objects.get(row[3] ?? 0);
      if (instance === undefined || !this.#page.current(instance, row)) return row;
      known.delete(instance.id);
      objects.delete(instance.object); // an object may be in several rows
      kept.push([instance, row]);
      return instance.id;
    });
    this.splice(0, this.#rows.length, next);
    for (const [instance, mount] of kept) update(this.#page, instance, mount);
  }

  exchange(row: Instance, by: Instance): void {
    const first = row.roots[0] as ChildNode;
    for (const node of by.roots) move(this.#holder, node, first);
    for (const node of row.roots) node.remove();
    this.#rows[this.#rows.indexOf(row)] = by;
    by.list = this;
    by.parent = this.#owner;
  }

  /** splice replaces the remove rows from start by rows. */
  splice(start: number, remove: number, rows: readonly Row[]): void {
    if (start + remove > this.#rows.length) {
      throw new WireError(`list has ${this.#rows.length} rows, so ${remove} cannot be taken out from ${start}`);
    }
    const taken = this.#rows.slice(start, start + remove);
    const { next, origin, gone } = this.#pick(taken, rows);
    this.#remove(gone);
    if (next.length === 0) {
      this.#rows.splice(start, remove);
      return;
    }
    this.#rows = this.#rows.slice(0, start).concat(next, this.#rows.slice(start + remove));
    this.#arrange(next, stationary(origin, focusedRow(next)), this.#rows[start + next.length]?.roots[0] ?? this.#end);
  }

  /** dispose ends the rows. The caller removes their nodes. */
  dispose(): void {
    for (const row of this.#rows) this.#page.unmount(row);
    this.#rows = [];
  }

  /** pick finds the rows that stay, makes the new ones, and returns which are gone. */
  #pick(
    taken: readonly Instance[],
    rows: readonly Row[],
  ): { next: Instance[]; origin: number[]; gone: Instance[] } {
    const left = new Map(taken.map((row, i) => [row.id, i]));
    const origin = rows.map((row): number => {
      if (typeof row !== "number") return -1;
      const old = left.get(row);
      if (old === undefined) throw new WireError(`row ${row} is not among the ${taken.length} rows taken out`);
      left.delete(row);
      return old;
    });
    const next = rows.map((row, i) =>
      typeof row === "number" ? (taken[origin[i] as number] as Instance) : this.#mount(row),
    );
    return { next, origin, gone: [...left.values()].map((i) => taken[i] as Instance) };
  }

  #mount(row: Mount): Instance {
    const instance = this.#page.mount(row, this.#owner, this.inherited);
    instance.list = this;
    return instance;
  }

  #remove(gone: Iterable<Instance>): void {
    for (const row of gone) {
      if (this.#page.park(row)) continue;
      this.#page.unmount(row);
      for (const node of row.roots) node.remove();
    }
  }

  /** arrange puts rows before anchor, from the last to the first; those that stay are not touched. */
  #arrange(rows: readonly Instance[], stays: readonly boolean[], anchor: ChildNode | null): void {
    const here = (i: number): boolean => (rows[i] as Instance).roots[0]?.parentNode === this.#holder;
    for (let end = rows.length; end > 0; ) {
      let start = end;
      while (start > 0 && !here(start - 1)) start--;
      if (start < end) {
        anchor = this.#insert(rows, start, end, anchor); // a run of new rows at once
      } else {
        const { roots } = rows[--start] as Instance;
        if (!stays[start]) for (const node of roots) move(this.#holder, node, anchor);
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
    this.#holder.insertBefore(fragment, anchor);
    return first;
  }
}

/** focusedRow returns the index of the row with the focus, or -1. */
function focusedRow(rows: readonly Instance[]): number {
  const active = focused();
  if (active === null || active === document.body) return -1;
  return rows.findIndex((row) => row.roots.some((node) => node.contains(active)));
}

/** move moves a node, with its state (scrolling, frames, animations) if the browser supports it. */
function move(parent: Element, node: ChildNode, before: ChildNode | null): void {
  if (typeof parent.moveBefore === "function" && node.isConnected) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}
