// Lists: an element that holds rows.

import { mountsOf, windowOf, type Row, type WindowRows } from "../../wire";
import { dressOf, withoutID, type Dress } from "../dress";
import { Stateful, type Instance, type Part, type Stage } from "../instance";
import { Rows } from "./rows";
import { Window } from "./window";

/** List binds an element whose content is one instance per row. */
export class List extends Stateful {
  readonly #dress: Dress | null;

  /** exemplar is the element that each row replaces; it is in the template no more. */
  constructor(slot: number, element: number, exemplar: Element | null) {
    super(slot, element);
    this.#dress = withoutID(exemplar && dressOf(exemplar));
  }

  /** splice replaces remove rows from start by rows. */
  splice(instance: Instance, start: number, remove: number, rows: readonly Row[]): void {
    (instance.parts[this.slot] as ListContent | undefined)?.splice(start, remove, rows);
  }

  /** window shows other rows of a list of which only some are shown. */
  window(instance: Instance, rows: WindowRows): void {
    (instance.parts[this.slot] as ListContent | undefined)?.window(rows);
  }

  protected override make(stage: Stage, instance: Instance, target: Element): Part {
    return new ListContent(stage, instance, this.slot, target, this.#dress);
  }
}

/** ListContent is what one list shows: all of its rows, or a window on them. */
class ListContent implements Part {
  readonly #stage: Stage;
  readonly #owner: Instance;
  readonly #slot: number;
  readonly #holder: Element;
  readonly #rows: Rows;
  #window: Window | undefined;

  constructor(stage: Stage, owner: Instance, slot: number, holder: Element, dress: Dress | null) {
    this.#stage = stage;
    this.#owner = owner;
    this.#slot = slot;
    this.#holder = holder;
    this.#rows = new Rows(stage, owner, holder, dress);
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

  /** window: fresh when the server has just begun to speak. */
  window(rows: WindowRows, fresh = false): void {
    this.#window ??= new Window(this.#stage, this.#owner, this.#slot, this.#holder, this.#rows);
    this.#window.show(rows, fresh);
  }

  children(): readonly Instance[] {
    return this.#rows.all;
  }

  dispose(): void {
    this.#close();
    this.#rows.dispose();
  }

  /** close ends the window, if there is one. */
  #close(): void {
    this.#window?.close();
    this.#window = undefined;
  }
}
