// Lists: elements that hold rows.

import { mountsOf, windowOf, type Bind, type Row, type WindowRows } from "../../wire";
import { inheritedFrom, type Inherited } from "../inherited";
import { Stateful, type At, type Instance, type Part, type Of, type PageContext } from "../instance";
import { Rows } from "./rows";
import { Window } from "./window";

/** List binds an element whose content is one instance per row. */
export class List extends Stateful {
  readonly #inherited: Inherited | null;

  /** exemplar is the placeholder of each row, removed from the template. */
  constructor(slot: number, bind: Bind, exemplar: Element | null) {
    super(slot, bind);
    const inherited = exemplar && inheritedFrom(exemplar);
    this.#inherited = inherited && { ...inherited, id: null }; // several rows replace it
  }

  splice(instance: Instance, start: number, remove: number, rows: readonly Row[]): void {
    (instance.parts[this.slot] as ListContent | undefined)?.splice(start, remove, rows);
  }

  /** window replaces the rendered rows of a windowed list. */
  window(instance: Instance, rows: WindowRows): void {
    (instance.parts[this.slot] as ListContent | undefined)?.window(rows);
  }

  protected override make(page: PageContext, instance: Instance, target: Element, at: Of<this>): Part {
    return new ListContent(page, instance, target, () => at.binding.#inherited);
  }
}

/** ListContent is the content of one list: all of its rows, or a window of them. */
class ListContent implements Part {
  readonly #rows: Rows;
  readonly #inherited: () => Inherited | null;
  at?: At;
  #window: Window | undefined;

  constructor(page: PageContext, owner: Instance, holder: Element, inherited: () => Inherited | null) {
    this.#rows = new Rows(page, owner, holder, inherited());
    this.#inherited = inherited;
  }

  set(raw: unknown): void {
    const rows = windowOf(raw);
    if (rows !== undefined) return this.window(rows, true);
    this.#close();
    this.#rows.show(mountsOf(raw));
  }

  splice(start: number, remove: number, rows: readonly Row[]): void {
    this.#close();
    this.#rows.splice(start, remove, rows);
  }

  /** window renders rows; fresh for the first value on a connection. */
  window(rows: WindowRows, fresh = false): void {
    this.#window ??= new Window(this.#rows, () => this.at?.binding.slot ?? 0);
    this.#window.show(rows, fresh);
  }

  children(): readonly Instance[] {
    return this.#rows.all;
  }

  taken(): void {
    this.#rows.reinherit(this.#inherited());
  }

  dispose(): void {
    this.#close();
    this.#rows.dispose();
  }

  /** close ends the window if there is one. */
  #close(): void {
    this.#window?.close();
    this.#window = undefined;
  }
}
