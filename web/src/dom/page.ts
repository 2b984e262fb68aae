// All instances on the page, created and changed by snapshots and batches.

import { objectsIn } from "../data/objects";
import { make } from "../elements";
import type { Reports } from "../report";
import { WireError } from "../data/validate";
import { FIRST_ELEMENT, mountOf, mountsOf, windowOf, type Batch, type ListOp, type Mount, type Row, type Snapshot, type WindowOp } from "../wire";
import { giveIDs, renewIDs } from "./ids";
import { applyInherited, hostOf, type Inherited } from "./inherited";
import { Instance, type Around, type Template } from "./instance";
import { List } from "./bindings/list";
import { Library } from "./library";
import { Morph, type Morphing } from "./morph";
import { name, observed, ran } from "./observed";
import { Region } from "./region";
import { isJavaScript, runInOrder, type Pending } from "./scripts";
import { places } from "./slide";
import { compile } from "./template";
import { walk } from "./walk";

const FAR = 2 ** 40; // no session gets that far with ids of instances

export interface PageParts extends Around {
  readonly root: Element; // the element with the attribute ui-app
  readonly reports: Reports;
  /** arranged is called when the DOM of a message is complete, before its scripts run. */
  readonly arranged: () => void;
}

/** Page applies snapshots and batches to the document. */
export class Page implements Morphing {
  readonly around: PageParts;
  readonly #library: Library;
  readonly #instances = new Map<number, Instance>();
  readonly #missing: Template; // stands in for unknown templates
  #region: Region | undefined;
  #whole = true; // everything that the batch named existed
  #scripts: Pending[] = [];
  #arriving: ReadonlySet<number> = new Set(); // the objects that the running batch mounts
  #mounted: { readonly instance: Instance; readonly mount: Mount }[] = []; // by the running batch, those that show arriving objects
  #parked: Instance[] = []; // those that have ended, and whose objects the running batch mounts
  #discarded: ChildNode[] = []; // with parked ones in them
  #parks = false; // a batch is running
  #moves = 0; // depth of the running updates that give instances other ids
  #deferred: { where: string; action: () => void }[] = [];

  constructor(parts: PageParts) {
    this.around = parts;
    const report = (where: string, error: unknown): void => this.report(where, error);
    this.#library = new Library((def) => compile(def, report));
    this.#missing = compile({ id: 0, key: "unknown", html: "", bind: [] }, report);
  }

  get size(): number {
    return this.#instances.size;
  }

  /** instances are all instances, those inside others after them. */
  get instances(): Iterable<Instance> {
    return this.#instances.values();
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

  /** clear ends all instances, and removes what they displayed. */
  clear(): void {
    this.#region?.dispose();
    this.#region = undefined;
    this.around.root.replaceChildren();
  }

  /**
   * snapshot displays a snapshot. Instances that existed before with the same template keep their DOM;
   * those of another run of the session, if they show the same.
   */
  snapshot({ defs, root }: Snapshot, renewed: boolean): void {
    this.#library.reset(defs);
    if (this.#region?.roots[0]?.isConnected === false) {
      this.#region.dispose(); // a script took it out of the document
      this.#region = undefined;
    }
    this.#region ??= this.#begin();
    if (renewed) {
      for (const instance of this.#instances.values()) instance.live = false;
      this.#renew(this.#region.instance, root);
    }
    this.#arriving = objectsIn(root);
    this.#parks = true;
    this.#region.show(root);
    this.#finish();
    this.#forget();
  }

  /**
   * batch applies the changes of one transaction. It returns false when the batch does not fit, so
   * that the page and the server disagree about what is displayed.
   */
  batch({ defs, ops }: Batch): boolean {
    this.#library.define(defs);
    this.#whole = true;
    this.#arriving = objectsIn(ops);
    this.#parks = true;
    const slide = ops.some(({ op }) => op === "list") ? places(this.around.root) : undefined;
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
    if (defs.length > 0) this.#forget();
    slide?.();
    return this.#whole;
  }

  mount(mount: Mount, parent: Instance | null, inherited: Inherited | null): Instance {
    const template = this.#library.get(mount[0]);
    if (template === undefined) this.#misfit("mount", new WireError(`there is no template ${mount[0]}`));
    return this.#instantiate(template ?? this.#missing, mount, parent, inherited);
  }

  keeps({ live, id, object, roots, template: current }: Instance, [template, nextID, , nextObject = 0]: Mount): boolean {
    const next = this.#library.get(template);
    if (!live || next === undefined || next.key !== current.key) return false;
    if (next !== current && roots[0]?.parentNode == null) return false; // a script has taken it away
    // What has no identity is recognised by its place, if only the views around it are others.
    return id === nextID || (object === nextObject && (object !== 0 || this.#moves > 0 || current !== next));
  }

  update(instance: Instance, mount: Mount, inherited: Inherited | null): void {
    const next = this.#library.get(mount[0]) ?? this.#missing;
    const moves = instance.id !== mount[1] || next !== instance.template;
    if (moves) this.#moves++;
    try {
      if (next !== instance.template) return this.#morph(instance, next, mount, inherited);
      this.#rename(instance, mount[1]);
      instance.show(mount[3] ?? 0); // first, before its values
      for (const owner of mount[4] ?? []) instance.own(owner);
      for (const { slot } of next.order) instance.set(this, slot, mount[2][slot]);
    } finally {
      if (moves) this.#moves--;
    }
  }

  #morph(instance: Instance, next: Template, mount: Mount, inherited: Inherited | null): void {
    const { targets } = instance;
    new Morph(this, instance, next).run(mount, inherited);
    for (const script of instance.targets.slice(...next.scripts)) {
      if (!targets.includes(script)) this.#scripts.push({ instance, script: script as HTMLScriptElement });
    }
  }

  register(instance: Instance, id: number): void {
    if (this.#instances.get(instance.id) === instance) this.#instances.delete(instance.id);
    instance.id = id;
    this.#instances.set(id, instance);
    if (observed) name(instance.roots, id);
  }

  #rename(instance: Instance, id: number): void {
    const old = instance.id;
    if (old === id) return;
    this.register(instance, id);
    renewIDs(instance, old);
    for (const part of instance.parts) part?.renamed?.(old);
  }

  /** renew gives an instance, and those in it in the same places, the objects of another run. update gives them their ids. */
  #renew(instance: Instance | null, mount: Row | null | undefined): void {
    if (instance === null || mount == null || typeof mount === "number") return;
    if (this.#library.get(mount[0]) !== instance.template || !instance.renew(mount)) return;
    this.#rename(instance, mount[1] + FAR);
    instance.parts.forEach((part, slot) => {
      const raw = mount[2][slot];
      const list = instance.template.bindings[slot] instanceof List;
      const within = list ? (windowOf(raw)?.segments.flatMap(({ rows }) => rows) ?? mountsOf(raw)) : [];
      part?.children?.().forEach((child, i) => this.#renew(child, list ? within[i] : mountOf(raw)));
    });
  }

  end(instance: Instance): void {
    if (this.#parks && instance.live && this.#arriving.has(instance.object)) this.#parked.push(instance);
    else this.#unbind(instance);
  }

  discard(nodes: readonly ChildNode[]): void {
    for (const node of nodes) {
      if (this.#parked.some(({ roots }) => roots.includes(node))) continue; // move decides
      if (this.#parked.some(({ roots }) => roots.some((root) => node.contains(root)))) this.#discarded.push(node);
      else node.remove();
    }
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
    this.around.reports.add(where, error);
  }

  afterBatch(where: string, action: () => void): void {
    this.#deferred.push({ where, action });
  }

  #begin(): Region {
    const empty = make("div", "ui-empty", "Nothing to show yet. Ask your agent to show an app.");
    this.around.root.replaceChildren(empty);
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
    for (let i = template.scripts[0]; i < template.scripts[1]; i++) {
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

  /** move puts parked instances where the batch mounted their objects, in place of the new ones. */
  #move(): void {
    this.#parks = false;
    const parked = new Set(this.#parked);
    const present = this.#mounted.filter(({ instance }) => !parked.has(instance)); // others were mounted and removed again
    const mounted = Map.groupBy(present, ({ instance }) => instance.object);
    this.#arriving = new Set();
    for (const row of parked) {
      const list = mounted.get(row.object) ?? [];
      const at = row.live ? list.findIndex(({ instance }) => fits(row, instance)) : -1;
      const to = list[at];
      if (to === undefined) {
        if (row.live) this.#unbind(row);
        for (const node of row.roots) node.remove();
        continue;
      }
      list.splice(at, 1);
      const { instance, mount } = to;
      const { holder } = instance;
      this.#unbind(instance);
      holder?.exchange(instance, row);
      this.#moves++;
      try {
        this.update(row, mount, holder?.inherited ?? null);
      } finally {
        this.#moves--;
      }
    }
    for (const node of this.#discarded) node.remove();
    this.#parked = [];
    this.#discarded = [];
    this.#mounted = [];
    this.#scripts = this.#scripts.filter(({ instance }) => instance.live);
  }

  /** forget drops the templates that nothing shows any more. */
  #forget(): void {
    this.#library.keep(new Set([...this.#instances.values()].map(({ template }) => template)));
  }

  /** finish does what needs the complete DOM of the batch: options, scripts, code. */
  #finish(): void {
    this.#move();
    this.around.editors.settle();
    this.around.arranged();
    const scripts = this.#scripts;
    const later = this.#deferred;
    this.#scripts = [];
    this.#deferred = [];
    if (this.around.skipped !== undefined) {
      for (const { instance, script } of scripts) if (isJavaScript(script)) this.around.skipped(instance.template.key);
    } else if (scripts.length > 0) {
      ran();
      runInOrder(scripts, (key, run) => this.around.reports.during(`script of ${key}`, run));
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

/** fits reports whether an instance can move to where a new one of its object is. */
function fits(row: Instance, { live, template, holder }: Instance): boolean {
  if (!live || template.key !== row.template.key || holder === null) return false;
  return JSON.stringify(holder.inherited) === JSON.stringify(row.holder?.inherited ?? null);
}
