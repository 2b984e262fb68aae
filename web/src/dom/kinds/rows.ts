// The rows of a list: instances, one after another, in an element.

import { stationary } from "../../data/order";
import { WireError, type Mount, type Row } from "../../wire";
import type { Dress } from "../dress";
import type { Instance, Stage } from "../instance";
import { update } from "../region";

/** Rows are the rows that one list shows, in order. */
export class Rows {
  readonly #stage: Stage;
  readonly #owner: Instance;
  readonly #holder: Element;
  readonly #dress: Dress | null;
  readonly #end: ChildNode | null; // what follows the last row: the author's own content, if any
  #rows: Instance[] = [];

  constructor(stage: Stage, owner: Instance, holder: Element, dress: Dress | null) {
    this.#stage = stage;
    this.#owner = owner;
    this.#holder = holder;
    this.#dress = dress;
    this.#end = holder.firstChild;
  }

  /** all are the instances of the rows. */
  get all(): readonly Instance[] {
    return this.#rows;
  }

  /** end is what follows the last row. */
  get end(): ChildNode | null {
    return this.#end;
  }

  /** show shows other rows. A mount of a row that is there already keeps its DOM and takes the values. */
  show(rows: readonly Row[]): void {
    const known = new Map(this.#rows.map((row) => [row.id, row]));
    const kept: [Instance, Mount][] = [];
    const next = rows.map((row): Row => {
      if (typeof row === "number") return row;
      const instance = known.get(row[1]);
      if (instance === undefined || !this.#stage.current(instance, row)) return row;
      kept.push([instance, row]);
      return instance.id;
    });
    this.splice(0, this.#rows.length, next);
    for (const [instance, mount] of kept) update(this.#stage, instance, mount);
  }

  /** splice replaces remove rows from start by rows. */
  splice(start: number, remove: number, rows: readonly Row[]): void {
    if (start + remove > this.#rows.length) {
      throw new WireError(`list has ${this.#rows.length} rows, so ${remove} cannot be taken out from ${start}`);
    }
    const taken = this.#rows.slice(start, start + remove);
    const { next, origin, gone } = this.#pick(taken, rows);
    // When their template changes, rows are made anew in the order of the old ones.
    const fresh = next.filter((_, i) => origin[i] === -1);
    gone.forEach((row, i) => fresh[i] && this.#stage.succeed(row, fresh[i]));
    this.#remove(gone);
    if (next.length === 0) {
      this.#rows.splice(start, remove);
      return;
    }
    this.#rows = this.#rows.slice(0, start).concat(next, this.#rows.slice(start + remove));
    this.#place(next, stationary(origin, focused(next)), this.#rows[start + next.length]?.roots[0] ?? this.#end);
  }

  /** dispose forgets the rows; their nodes stay for the caller to remove. */
  dispose(): void {
    for (const row of this.#rows) this.#stage.unmount(row);
    this.#rows = [];
  }

  /** pick finds the rows that stay, makes the new ones, and says which are gone. */
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
      typeof row === "number"
        ? (taken[origin[i] as number] as Instance)
        : this.#stage.mount(row, this.#owner, this.#dress),
    );
    return { next, origin, gone: [...left.values()].map((i) => taken[i] as Instance) };
  }

  #remove(gone: Iterable<Instance>): void {
    for (const row of gone) {
      this.#stage.unmount(row);
      for (const node of row.roots) node.remove();
    }
  }

  /** place puts rows before anchor, from the last to the first; those that stay are not touched. */
  #place(rows: readonly Instance[], stays: readonly boolean[], anchor: ChildNode | null): void {
    const here = (i: number): boolean => (rows[i] as Instance).roots[0]?.parentNode === this.#holder;
    for (let end = rows.length; end > 0; ) {
      let start = end;
      while (start > 0 && !here(start - 1)) start--;
      if (start < end) {
        anchor = this.#insert(rows, start, end, anchor); // a run of new rows, at once
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

/** focused is the index of the row with the focus, or -1. */
function focused(rows: readonly Instance[]): number {
  const active = document.activeElement;
  if (active === null || active === document.body) return -1;
  return rows.findIndex((row) => row.roots.some((node) => node.contains(active)));
}

/** move moves a node with its state (scrolling, frames, animations) where the browser can. */
function move(parent: Element, node: ChildNode, before: ChildNode | null): void {
  if (typeof parent.moveBefore === "function" && node.isConnected) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}
