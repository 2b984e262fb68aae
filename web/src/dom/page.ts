// All instances on the page, created and changed by snapshots and batches.

import type { Outbox } from "../data/outbox";
import type { Reports } from "../report";
import { WireError } from "../data/validate";
import type { Batch, ListOp, Mount, Snapshot, WindowMessage, WindowOp } from "../wire";
import { adopt, capture, type Captured } from "./adopt";
import { applyInherited, type Inherited } from "./inherited";
import type { Editors } from "./editors";
import { Instance, type PageContext, type Template } from "./instance";
import { List } from "./bindings/list";
import { Library } from "./library";
import { Region } from "./region";
import { runInOrder, type Pending } from "./scripts";
import { compile } from "./template";
import { walk } from "./walk";

/** PageParts are the dependencies of a Page. */
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
export class Page implements PageContext {
  readonly outbox: Outbox;
  readonly editors: Editors;
  readonly refused: () => void;
  readonly ask: (window: WindowMessage) => boolean;
  readonly #reports: Reports;
  readonly #root: Element;
  readonly #library: Library;
  readonly #instances = new Map<number, Instance>();
  readonly #missing: Template; // stands in for unknown templates
  #region: Region | undefined;
  #whole = true; // everything that the batch named existed
  #scripts: Pending[] = [];
  #adoptions: { captured: Captured; to: Instance }[] = []; // by views whose definitions have changed
  #deferred: { where: string; action: () => void }[] = [];

  constructor({ root, outbox, editors, reports, store, refused, ask }: PageParts) {
    this.outbox = outbox;
    this.editors = editors;
    this.refused = refused;
    this.ask = ask;
    this.#reports = reports;
    this.#root = root;
    const compiling = { report: (where: string, error: unknown) => this.report(where, error), store };
    this.#library = new Library((def) => compile(def, compiling));
    this.#missing = compile({ id: 0, key: "unknown", html: "", bind: [] }, compiling);
  }

  /** size is the number of instances. */
  get size(): number {
    return this.#instances.size;
  }

  /** element returns the element of a binding; undefined when its instance does not exist. */
  element(instance: number, slot: number): Element | undefined {
    const found = this.#instances.get(instance);
    const binding = found?.template.bindings[slot];
    return binding && found?.targets[binding.element];
  }

  /** clear ends all instances. */
  clear(): void {
    this.#region?.dispose();
    this.#region = undefined;
  }

  /** snapshot displays a snapshot. Instances that existed before with the same template keep their DOM. */
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
   * batch applies the changes of one transaction. It returns false when the batch does not fit, so
   * that the page and the server disagree about what is displayed.
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

  mount(mount: Mount, parent: Instance | null, inherited: Inherited | null): Instance {
    const template = this.#library.get(mount[0]);
    if (template === undefined) this.#misfit("mount", new WireError(`there is no template ${mount[0]}`));
    return this.#instantiate(template ?? this.#missing, mount, parent, inherited);
  }

  current(instance: Instance, [template, id]: Mount): boolean {
    return instance.id === id && instance.live && instance.template === this.#library.get(template);
  }

  unmount(instance: Instance): void {
    instance.live = false;
    // A new instance with the same id may already be registered.
    if (this.#instances.get(instance.id) === instance) this.#instances.delete(instance.id);
    for (const binding of instance.template.order) {
      try {
        binding.unbind(instance);
      } catch (error) {
        this.report(`${instance.template.key}, slot ${binding.slot}`, error);
      }
    }
  }

  replaceInstance(old: Instance, next: Instance): void {
    if (old.template.key !== next.template.key || old.template === next.template) return;
    try {
      const captured = capture(old, this.editors);
      if (captured !== undefined) this.#adoptions.push({ captured, to: next });
    } catch (error) {
      this.report(`new version of ${old.template.key}`, error);
    }
  }

  report(where: string, error: unknown): void {
    this.#reports.add(where, error);
  }

  afterBatch(where: string, action: () => void): void {
    this.#deferred.push({ where, action });
  }

  #begin(): Region {
    const empty = document.createElement("div");
    empty.className = "ui-empty";
    empty.textContent = "Nothing to show yet. Ask your agent to show an app.";
    this.#root.replaceChildren(empty);
    return new Region(this, null, empty, false);
  }

  #instantiate(template: Template, mount: Mount, parent: Instance | null, inherited: Inherited | null): Instance {
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
    if (inherited !== null) applyInherited(inherited, roots); // first, because views among the roots inherit it in turn
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

  /** finish does what needs the complete DOM of the batch: options, scripts, code, adopted state. */
  #finish(): void {
    this.editors.settle();
    const scripts = this.#scripts;
    const later = this.#deferred;
    for (const { captured, to } of this.#adoptions) {
      const action = (): void => adopt(captured, to, this.editors, this.outbox);
      later.push({ where: `new version of ${to.template.key}`, action });
    }
    this.#scripts = [];
    this.#deferred = [];
    this.#adoptions = [];
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
