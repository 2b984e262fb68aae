// The picture: every instance that is shown, made and changed as the server says.

import type { Outbox } from "../data/outbox";
import type { Reports } from "../report";
import {
  WireError,
  type Batch,
  type ListOp,
  type Mount,
  type Snapshot,
  type WindowMessage,
  type WindowOp,
} from "../wire";
import { remember, restore, type Memory } from "./carry";
import { put, type Dress } from "./dress";
import type { Editors } from "./editors";
import { Instance, type Stage, type Template } from "./instance";
import { List } from "./kinds/list";
import { Library } from "./library";
import { Region } from "./region";
import { runInOrder, type Pending } from "./scripts";
import { compile } from "./template";
import { walk } from "./walk";

/** What a Page works with. */
export interface PageParts {
  readonly root: Element; // the element with the attribute ui-app
  readonly outbox: Outbox;
  readonly editors: Editors;
  readonly reports: Reports;
  readonly store: unknown; // for bindings of kind "code"
  readonly refused: () => void;
  readonly ask: (window: WindowMessage) => boolean;
}

/** Page applies snapshots and batches to the document. */
export class Page implements Stage {
  readonly outbox: Outbox;
  readonly editors: Editors;
  readonly refused: () => void;
  readonly ask: (window: WindowMessage) => boolean;
  readonly #reports: Reports;
  readonly #root: Element;
  readonly #library: Library;
  readonly #instances = new Map<number, Instance>();
  readonly #gap: Template; // what stands for a template that there is not
  #region: Region | undefined;
  #whole = true; // all that the messages named was there
  #scripts: Pending[] = [];
  #carried: { memory: Memory; to: Instance }[] = []; // from views whose definitions have changed
  #later: { where: string; action: () => void }[] = [];

  constructor({ root, outbox, editors, reports, store, refused, ask }: PageParts) {
    this.outbox = outbox;
    this.editors = editors;
    this.refused = refused;
    this.ask = ask;
    this.#reports = reports;
    this.#root = root;
    const compiling = { report: (where: string, error: unknown) => this.report(where, error), store };
    this.#library = new Library((def) => compile(def, compiling));
    this.#gap = compile({ id: 0, key: "unknown", html: "", bind: [] }, compiling);
  }

  /** size counts the instances that are shown. */
  get size(): number {
    return this.#instances.size;
  }

  /** element is what a binding acts on; undefined when its instance is not shown. */
  element(instance: number, slot: number): Element | undefined {
    const shown = this.#instances.get(instance);
    const binding = shown?.template.bindings[slot];
    return binding && shown?.targets[binding.element];
  }

  /** clear forgets the picture, as if there had been none. */
  clear(): void {
    this.#region?.dispose();
    this.#region = undefined;
  }

  /** snapshot shows a whole picture. Instances that were there before, with the same template, keep their DOM. */
  snapshot({ defs, root }: Snapshot): void {
    this.#library.reset(defs);
    if (this.#region?.roots[0]?.isConnected === false) {
      this.#region.dispose(); // a script took it out of the document
      this.#region = undefined;
    }
    this.#region ??= this.#begin();
    this.#region.show(root);
    this.#finish();
  }

  /**
   * batch applies what one transaction changed. It reports whether everything
   * in it fits the picture; where not, page and server see different things.
   */
  batch({ defs, ops }: Batch): boolean {
    this.#library.define(defs);
    this.#whole = true;
    for (const op of ops) {
      const instance = this.#instances.get(op.instance);
      if (instance === undefined) {
        this.#misfit("batch", new WireError(`there is no instance ${op.instance}`));
      } else if (op.op === "list" || op.op === "window") {
        this.#rows(instance, op);
      } else {
        instance.set(this, op.slot, op.op === "set" ? op.value : op.mount);
      }
    }
    this.#finish();
    return this.#whole;
  }

  mount(mount: Mount, parent: Instance | null, dress: Dress | null): Instance {
    const template = this.#library.get(mount[0]);
    if (template === undefined) this.#misfit("mount", new WireError(`there is no template ${mount[0]}`));
    return this.#instantiate(template ?? this.#gap, mount, parent, dress);
  }

  current(instance: Instance, [template, id]: Mount): boolean {
    return instance.id === id && instance.live && instance.template === this.#library.get(template);
  }

  unmount(instance: Instance): void {
    instance.live = false;
    // An instance that came under an id before the old one went has it now.
    if (this.#instances.get(instance.id) === instance) this.#instances.delete(instance.id);
    for (const binding of instance.template.order) {
      try {
        binding.unbind(instance);
      } catch (error) {
        this.report(`${instance.template.key}, slot ${binding.slot}`, error);
      }
    }
  }

  succeed(old: Instance, next: Instance): void {
    if (old.template.key !== next.template.key || old.template === next.template) return;
    try {
      const memory = remember(old, this.editors);
      if (memory !== undefined) this.#carried.push({ memory, to: next });
    } catch (error) {
      this.report(`new version of ${old.template.key}`, error);
    }
  }

  report(where: string, error: unknown): void {
    this.#reports.add(where, error);
  }

  afterwards(where: string, action: () => void): void {
    this.#later.push({ where, action });
  }

  #begin(): Region {
    const empty = document.createElement("div");
    empty.className = "ui-empty";
    empty.textContent = "Nothing to show yet. Ask your agent to show an app.";
    this.#root.replaceChildren(empty);
    return new Region(this, null, empty, false);
  }

  #instantiate(template: Template, mount: Mount, parent: Instance | null, dress: Dress | null): Instance {
    const clone = document.importNode(template.proto, true);
    const roots = template.single ? [clone as ChildNode] : [...clone.childNodes];
    const targets: Element[] = [];
    if (template.self >= 0) targets[template.self] = clone as Element;
    walk(clone, template.steps, targets);

    const instance = new Instance(mount, template, parent, roots, targets);
    this.#instances.set(instance.id, instance);
    for (let i = template.scripts; i < targets.length; i++) {
      this.#scripts.push({ instance, script: targets[i] as HTMLScriptElement });
    }
    if (dress !== null) put(dress, roots); // first, since views among the roots pass it on
    const values = mount[2];
    for (const binding of template.order) instance.bind(this, binding, values[binding.slot]);
    return instance;
  }

  #rows(instance: Instance, op: ListOp | WindowOp): void {
    try {
      const list = instance.template.bindings[op.slot];
      if (!(list instanceof List)) throw new WireError("it is not a list");
      if (op.op === "list") list.splice(instance, op.start, op.remove, op.rows);
      else list.window(instance, op);
    } catch (error) {
      this.#misfit(`${instance.template.key}, slot ${op.slot}`, error);
    }
  }

  #misfit(where: string, error: unknown): void {
    this.#whole = false;
    this.report(where, error);
  }

  /** finish does what needs the whole DOM of the batch: choices among options, scripts, code, what is the person's. */
  #finish(): void {
    this.editors.settle();
    const scripts = this.#scripts;
    const later = this.#later;
    for (const { memory, to } of this.#carried) {
      const carry = (): void => restore(memory, to, this.editors, this.outbox);
      later.push({ where: `new version of ${to.template.key}`, action: carry });
    }
    this.#scripts = [];
    this.#later = [];
    this.#carried = [];
    if (scripts.length > 0) {
      runInOrder(scripts, (key, run) => this.#reports.during(`script of ${key}`, run));
    }
    for (const { where, action } of later) {
      try {
        action();
      } catch (error) {
        this.report(where, error);
      }
    }
  }
}
