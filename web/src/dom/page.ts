// All instances on the page, created and changed by snapshots and batches.

import { objectsIn } from "../data/objects";
import type { Edit, Outbox } from "../data/outbox";
import type { Reports } from "../report";
import type { Value } from "../data/value";
import { WireError } from "../data/validate";
import { FIRST_ELEMENT, type Batch, type ListOp, type Mount, type Snapshot, type WindowMessage, type WindowOp } from "../wire";
import { adopt, capture, editsOf, kindOf, Pool, type Captured, type Left } from "./adopt";
import { giveIDs, renewIDs } from "./ids";
import { applyInherited, hostOf, type Inherited } from "./inherited";
import type { Editors } from "./editors";
import { Instance, type PageContext, type Template } from "./instance";
import { List } from "./bindings/list";
import { Library } from "./library";
import { name, observed, ran } from "./observed";
import { Region, update } from "./region";
import { isJavaScript, runInOrder, type Pending } from "./scripts";
import { places } from "./slide";
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
  /** left is called with the content of a control without binding that a new version of its view lacks. */
  readonly left: (element: Element, value: Value, find: () => Element | undefined) => void;
  readonly ask: (window: WindowMessage) => boolean;
  /** skipped is called with the templates whose JavaScript is skipped. Without it, their JavaScript runs. */
  readonly skipped: ((key: string) => void) | undefined;
}

/** Page applies snapshots and batches to the document. */
export class Page implements PageContext {
  readonly outbox: Outbox;
  readonly editors: Editors;
  readonly refused: () => void;
  readonly ask: (window: WindowMessage) => boolean;
  readonly skipped: ((key: string) => void) | undefined;
  readonly #reports: Reports;
  readonly #root: Element;
  readonly #library: Library;
  readonly #instances = new Map<number, Instance>();
  readonly #missing: Template; // stands in for unknown templates
  #region: Region | undefined;
  #whole = true; // everything that the batch named existed
  #scripts: Pending[] = [];
  #arriving: ReadonlySet<number> = new Set(); // the objects that the running batch mounts
  #mounted: { readonly instance: Instance; readonly mount: Mount }[] = []; // by the running batch, those that show arriving objects
  #parked: Instance[] = []; // rows that the running batch removed and whose objects it mounts
  #parks = false; // a batch is running, and rows can be moved with their state
  #moving = false; // a view that moves gets its new values
  #captures: Captured[] = []; // of unmounted instances whose objects arrive elsewhere
  #capturing = false; // an instance around the current one has been captured
  #deferred: { where: string; action: () => void }[] = [];

  readonly #left: PageParts["left"];

  constructor({ root, outbox, editors, reports, store, refused, left, ask, skipped }: PageParts) {
    this.outbox = outbox;
    this.editors = editors;
    this.refused = refused;
    this.#left = left;
    this.ask = ask;
    this.skipped = skipped;
    this.#reports = reports;
    this.#root = root;
    const compiling = { report: (where: string, error: unknown) => this.report(where, error), store };
    this.#library = new Library((def) => compile(def, compiling));
    this.#missing = compile({ id: 0, key: "unknown", html: "", bind: [], written: [] }, compiling);
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

  /** at returns an element of an instance by its number; undefined when there is none. */
  at(instance: number, element: number): Element | undefined {
    const found = this.#instances.get(instance);
    return element === FIRST_ELEMENT ? found && hostOf(found.roots) : found?.targets[element];
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
    this.#arriving = objectsIn(root);
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
    this.#arriving = objectsIn(ops);
    this.#parks = typeof this.#root.moveBefore === "function"; // else moving would lose the focus
    const slide = ops.some(({ op }) => op === "list") ? places(this.#root) : undefined;
    for (const op of ops) {
      const instance = this.#instances.get(op.instance);
      if (instance === undefined) {
        this.#misfit("batch", new WireError(`there is no instance ${op.instance}`));
      } else if (op.op === "list" || op.op === "window") {
        this.#rows(instance, op);
      } else if (op.op === "object") {
        instance.show(op.object);
      } else if (op.op === "owner") {
        instance.own([op.slot, op.object]);
      } else {
        instance.set(this, op.slot, op.op === "set" ? op.value : op.mount);
      }
    }
    this.#finish();
    slide?.();
    return this.#whole;
  }

  mount(mount: Mount, parent: Instance | null, inherited: Inherited | null): Instance {
    const template = this.#library.get(mount[0]);
    if (template === undefined) this.#misfit("mount", new WireError(`there is no template ${mount[0]}`));
    return this.#instantiate(template ?? this.#missing, mount, parent, inherited);
  }

  park(row: Instance): boolean {
    if (!this.#parks || !this.#arriving.has(row.object)) return false;
    this.#parked.push(row);
    return true;
  }

  current(instance: Instance, [template, id, , object]: Mount): boolean {
    const same = instance.id === id || (this.#moving && instance.object !== 0 && instance.object === object);
    return same && instance.live && instance.template === this.#library.get(template);
  }

  rename(instance: Instance, id: number): void {
    if (instance.id === id) return;
    if (this.#instances.get(instance.id) === instance) this.#instances.delete(instance.id);
    const old = instance.id;
    instance.id = id;
    this.#instances.set(id, instance);
    renewIDs(instance, old);
    if (observed) name(instance.roots, id);
    for (const part of instance.parts) part?.renamed?.(old);
  }

  unmount(instance: Instance): void {
    const captures = !this.#capturing && this.#arriving.has(instance.object);
    if (captures) this.#capture(instance);
    this.#capturing ||= captures;
    try {
      this.#unbind(instance);
    } finally {
      if (captures) this.#capturing = false;
    }
  }

  /** capture keeps the person's state for the instance that shows the same object elsewhere. */
  #capture(instance: Instance): void {
    try {
      const captured = capture(instance, this.editors, this.outbox);
      if (captured !== undefined) this.#captures.push(captured);
    } catch (error) {
      this.report(`state of ${instance.template.key}`, error);
    }
  }

  /** adopt gives captured state to the instances that show the same objects now. */
  #adopt(captures: readonly Captured[], mounted: readonly Instance[]): void {
    const pool = new Pool(mounted);
    const used = new Set<Instance>();
    const { editors, outbox } = this;
    for (const captured of captures) {
      const adopted = new Set<Edit>();
      const left = ({ template: { key }, object }: Captured, { element, value, find }: Left): void => {
        this.#left(element, value, () => (object === 0 ? undefined : this.#first(key, object, find)));
      };
      const to = pool.take(captured, used);
      try {
        if (to !== undefined) adopt(captured, to, { editors, outbox, adopted, left });
      } finally {
        for (const edit of editsOf(captured)) if (!adopted.has(edit)) outbox.release(edit);
      }
    }
  }

  /** first returns the first element that find returns for an instance of an object. */
  #first(key: string, object: number, find: Left["find"]): Element | undefined {
    for (const instance of this.#instances.values()) {
      if (instance.template.key !== key || instance.object !== object) continue;
      const element = find(instance);
      if (element !== undefined) return element;
    }
    return undefined;
  }

  #unbind(instance: Instance): void {
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

  report(where: string, error: unknown): void {
    this.#reports.add(where, error);
  }

  afterBatch(where: string, action: () => void): void {
    this.#deferred.push({ where, action });
  }

  /**
   * find returns a control of a template by its binding as written and the object that it writes to, if
   * it is displayed: where there are several, such as choices, the one that is like a control.
   */
  find(owner: number, key: string, written: string, like: Element): Element | undefined {
    const kind = kindOf(like);
    let other: Element | undefined;
    for (const { template, targets } of this.#instances.values()) {
      if (template.key !== key) continue;
      for (const { element } of template.order) {
        const target = targets[element];
        const entry = target && this.editors.of(target);
        if (entry === undefined || entry.written !== written || entry.field.editor.owner !== owner) continue;
        if (kindOf(entry.element) === kind) return target;
        other ??= target;
      }
    }
    return other;
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
    if (this.#arriving.has(instance.object)) this.#mounted.push({ instance, mount });
    for (let i = template.scripts; i < targets.length; i++) {
      this.#scripts.push({ instance, script: targets[i] as HTMLScriptElement });
    }
    if (inherited !== null) applyInherited(inherited, roots); // first, because views among the roots inherit it in turn
    giveIDs(instance);
    if (observed) name(roots, instance.id);
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

  /** move puts parked rows where the batch mounted their objects, in place of the new views. */
  #move(): void {
    this.#parks = false;
    const mounted = new Map<number, { instance: Instance; mount: Mount }[]>();
    const parked = new Set(this.#parked);
    for (const m of this.#mounted) {
      if (parked.has(m.instance)) continue; // mounted and removed again
      const { object } = m.instance;
      mounted.set(object, [...(mounted.get(object) ?? []), m]);
    }
    const pairs: { row: Instance; to: { instance: Instance; mount: Mount } }[] = [];
    for (const row of parked) {
      const list = mounted.get(row.object) ?? [];
      const at = row.live ? list.findIndex(({ instance }) => fits(row, instance)) : -1;
      const to = list[at];
      if (to !== undefined) {
        list.splice(at, 1);
        pairs.push({ row, to });
        continue;
      }
      if (row.live) this.unmount(row);
      for (const node of row.roots) node.remove();
    }
    this.#parked = [];
    if (pairs.length === 0) return;
    this.#arriving = new Set(); // the new views have nothing to capture
    for (const { row, to: { instance, mount } } of pairs) {
      const { list } = instance;
      this.unmount(instance);
      list?.exchange(instance, row);
      this.#moving = true;
      try {
        update(this, row, mount);
      } finally {
        this.#moving = false;
      }
    }
    this.#mounted = this.#mounted.filter(({ instance }) => instance.live);
    this.#scripts = this.#scripts.filter(({ instance }) => instance.live);
  }

  /** finish does what needs the complete DOM of the batch: options, scripts, code, adopted state. */
  #finish(): void {
    this.#move();
    this.editors.settle();
    const scripts = this.#scripts;
    const later = this.#deferred;
    const captures = this.#captures;
    const mounted = this.#mounted.map(({ instance }) => instance);
    if (captures.length > 0) {
      later.push({ where: "moved views", action: () => this.#adopt(captures, mounted) });
    }
    this.#scripts = [];
    this.#deferred = [];
    this.#captures = [];
    this.#mounted = [];
    this.#arriving = new Set();
    if (this.skipped !== undefined) {
      for (const { instance, script } of scripts) if (isJavaScript(script)) this.skipped(instance.template.key);
    } else if (scripts.length > 0) {
      ran();
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

/** fits reports whether a row can be moved to where a new view of its object is. */
function fits(row: Instance, { live, template, list }: Instance): boolean {
  if (!live || template !== row.template || list === null) return false;
  return JSON.stringify(list.inherited) === JSON.stringify(row.list?.inherited ?? null);
}
