// The parts that a picture is made of: templates, their bindings, and the
// instances of templates that are shown. Kinds of bindings are in kinds/.

import type { Outbox } from "../data/outbox";
import type { Mount, WindowMessage } from "../wire";
import type { Dress } from "./dress";
import type { Editors } from "./editors";
import type { Step } from "./walk";

/** Template is a definition, compiled once and cloned for each instance. */
export interface Template {
  readonly key: string;
  readonly proto: Node; // the root where the template has one, else a fragment
  readonly single: boolean;
  readonly self: number; // index of the one root among the targets, or -1
  readonly steps: readonly Step[]; // the way to the elements with bindings, then to the scripts
  readonly scripts: number; // index of the first script among the targets
  readonly bindings: readonly (Binding | undefined)[]; // by slot; undefined: its element is not there
  readonly order: readonly Binding[]; // the same, as they are bound: what makes content comes first
  readonly marks: readonly string[]; // by element: its bindings, by which it is known again in another version of the template
  readonly keeps: boolean; // instances remember their values, since bindings move between elements
}

/** Stage is what bindings need of the page. */
export interface Stage {
  readonly outbox: Outbox;
  readonly editors: Editors;
  /**
   * mount makes an instance. It never fails: what goes wrong is reported and
   * leaves a gap. Its roots are not in the document yet.
   */
  mount(mount: Mount, parent: Instance | null, dress: Dress | null): Instance;
  /** current reports whether instance shows what mount asks for, but perhaps for its values. */
  current(instance: Instance, mount: Mount): boolean;
  /** unmount forgets an instance and those within. Its nodes are the caller's to remove, afterwards. */
  unmount(instance: Instance): void;
  /**
   * succeed tells that next takes the place of old, while old still stands
   * there. When only the template has changed, next gets what is the person's.
   */
  succeed(old: Instance, next: Instance): void;
  /** report takes what went wrong in one binding, so that the others go on. */
  report(where: string, error: unknown): void;
  /** afterwards runs an action when the DOM of the batch, and its scripts, are done. */
  afterwards(where: string, action: () => void): void;
  /** ask asks for rows of a windowed list. It reports whether there was a connection. */
  ask(window: WindowMessage): boolean;
  /** refused: the person acted while there was no connection. */
  refused(): void;
}

/** Instance is a template that is shown. */
export class Instance {
  readonly id: number;
  readonly template: Template;
  readonly parent: Instance | null;
  readonly targets: Element[]; // by the number in data-ui; what the bindings act on
  readonly parts: (Part | undefined)[] = []; // by slot, for bindings with state
  roots: ChildNode[]; // its nodes in its parent's content; never empty
  live = true;
  readonly #values: unknown[] | null;
  /** rootsChanged is called when another node has taken the place of a root. */
  rootsChanged: (() => void) | undefined;

  constructor(
    [, id, values]: Mount,
    template: Template,
    parent: Instance | null,
    roots: ChildNode[],
    targets: Element[],
  ) {
    this.id = id;
    this.template = template;
    this.parent = parent;
    this.roots = roots;
    this.targets = targets;
    this.#values = template.keeps ? [...values] : null;
  }

  /** set gives one binding its new value. A slot without a binding has none to give it to. */
  set(stage: Stage, slot: number, raw: unknown): void {
    if (this.#values !== null) this.#values[slot] = raw;
    const binding = this.template.bindings[slot];
    if (binding === undefined) return;
    try {
      binding.set(this, raw);
    } catch (error) {
      stage.report(`${this.template.key}, slot ${slot}`, error);
    }
  }

  /** bind begins a binding with raw, or with the value that is remembered. */
  bind(stage: Stage, binding: Binding, raw: unknown = this.#values?.[binding.slot]): void {
    try {
      binding.bind(stage, this, raw);
    } catch (error) {
      stage.report(`${this.template.key}, slot ${binding.slot}`, error);
    }
  }

  /** replaced tells that next stands where old stood, which may have been roots of this instance and of those around it. */
  replaced(old: readonly ChildNode[], next: readonly ChildNode[]): void {
    const at = this.roots.indexOf(old[0] as ChildNode);
    if (at < 0) return;
    this.roots.splice(at, old.length, ...next);
    this.rootsChanged?.();
    this.parent?.replaced(old, next);
  }
}

/** Part is the state of one binding in one instance. */
export interface Part {
  set(raw: unknown): void;
  /** children are the instances that the binding shows, if it is of a kind that shows any. */
  children?(): readonly Instance[];
  dispose(): void;
}

/** Binding is one entry of a definition's list, shared by all instances of the template. */
export abstract class Binding {
  readonly slot: number;
  readonly element: number;

  constructor(slot: number, element: number) {
    this.slot = slot;
    this.element = element;
  }

  /** bind begins in a fresh instance. */
  abstract bind(stage: Stage, instance: Instance, raw: unknown): void;
  /** set takes a new value. */
  abstract set(instance: Instance, raw: unknown): void;
  /** unbind ends; the element may live on in scripts, so nothing may be left on it that acts. */
  abstract unbind(instance: Instance): void;
}

/** Plain is a binding without state: its value is applied to its element. */
export abstract class Plain extends Binding {
  protected abstract apply(element: Element, raw: unknown): void;

  override bind(_: Stage, instance: Instance, raw: unknown): void {
    this.apply(instance.targets[this.element] as Element, raw);
  }

  override set(instance: Instance, raw: unknown): void {
    this.apply(instance.targets[this.element] as Element, raw);
  }

  override unbind(): void {}
}

/** Stateful is a binding that keeps a Part in each instance. */
export abstract class Stateful extends Binding {
  protected abstract make(stage: Stage, instance: Instance, target: Element): Part;

  override bind(stage: Stage, instance: Instance, raw: unknown): void {
    const part = this.make(stage, instance, instance.targets[this.element] as Element);
    instance.parts[this.slot] = part;
    part.set(raw);
  }

  override set(instance: Instance, raw: unknown): void {
    instance.parts[this.slot]?.set(raw);
  }

  override unbind(instance: Instance): void {
    instance.parts[this.slot]?.dispose();
    instance.parts[this.slot] = undefined;
  }
}
