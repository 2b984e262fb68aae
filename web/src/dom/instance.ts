// Templates, their bindings, and instances of templates. The kinds of bindings are in bindings/.

import type { Outbox } from "../data/outbox";
import { same, type Value } from "../data/value";
import { scalarOf, type Bind, type Mount, type Opts, type Owner, type WindowMessage } from "../wire";
import type { Inherited } from "./inherited";
import type { Editors } from "./editors";
import type { IDs } from "./ids";
import type { Uploads } from "./uploads";
import type { Step } from "./walk";
import type { Leaf } from "./written";

/** Template is a compiled definition, cloned for each instance. */
export interface Template {
  readonly key: string;
  readonly proto: Node; // the only root, or a fragment of several
  readonly single: boolean;
  readonly self: number; // index of the only root among the targets, or -1
  readonly steps: readonly Step[]; // lead to the targets: elements with bindings, scripts, and others
  readonly scripts: readonly [from: number, to: number]; // among the targets
  readonly bindings: readonly (Binding | undefined)[]; // by slot; undefined when its element is missing
  readonly order: readonly Binding[]; // the same, in the order of binding, with those that only this page has
  readonly ids: IDs;
  readonly elements: readonly (Element | undefined)[]; // of proto, as the targets of an instance are
  readonly leaves: readonly Leaf[]; // the nodes of proto
}

/** Around is what bindings reach outside of the page. */
export interface Around {
  readonly outbox: Outbox;
  readonly editors: Editors;
  readonly uploads: Uploads;
  readonly store: unknown; // for bindings of kind "code"
  /** ask requests rows of a windowed list. It returns false when there is no connection. */
  ask(window: WindowMessage): boolean;
  /** skipped is called instead of running the JavaScript of a template; undefined where it runs. */
  readonly skipped: ((key: string) => void) | undefined;
  /** refused is called when the person acts while there is no connection. */
  refused(): void;
  /** acted is called when the person acts in a view. */
  acted(instance: Instance): void;
}

/** PageContext is what bindings use of the page. */
export interface PageContext {
  readonly around: Around;
  /**
   * mount makes an instance, whose roots are not in the document yet. It never fails: errors are
   * reported, and an unknown template gives an empty instance.
   */
  mount(mount: Mount, parent: Instance | null, inherited: Inherited | null): Instance;
  /**
   * keeps reports whether an instance can become the one that mount describes: it shows the same
   * object by the same template, or another version of it.
   */
  keeps(instance: Instance, mount: Mount): boolean;
  /** update makes an instance the one that mount describes, if it keeps it. inherited is what it inherits. */
  update(instance: Instance, mount: Mount, inherited: Inherited | null): void;
  /**
   * end ends an instance and those inside it. If its object appears elsewhere in the batch, that waits
   * for the end of the batch, since the instance may move there.
   */
  end(instance: Instance): void;
  /** discard removes the nodes of what has ended. */
  discard(nodes: readonly ChildNode[]): void;
  /** report records an error of one binding, so that the others continue. */
  report(where: string, error: unknown): void;
  /** afterBatch runs an action after the batch's DOM changes and scripts. */
  afterBatch(where: string, action: () => void): void;
}

/** Instance is one rendering of a template. */
export class Instance {
  template: Template;
  targets: Element[]; // by the number in data-ui; then the scripts and the other elements
  parts: (Part | undefined)[] = []; // by slot, for bindings with state
  id: number;
  parent: Instance | null;
  holder: Holder | null = null; // what it is in
  roots: ChildNode[]; // its nodes in its parent's content; never empty
  live = true;
  object: number; // the identity of the object that it shows; 0 when unknown
  #owners: Map<number, number> | undefined; // by slot, for slots that write to other objects
  #values: unknown[]; // by slot, but of those that hold instances
  /** rootsChanged is called when a root has been replaced by another node. */
  rootsChanged: (() => void) | undefined;

  constructor(
    [, id, values, object, owners]: Mount,
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
    this.#values = [...values];
    this.object = object ?? 0;
    this.#owners = owners && new Map(owners);
  }

  /** owner returns the identity of the object that a slot writes to; 0 when unknown. */
  owner(slot: number): number {
    return this.#owners?.get(slot) ?? this.object;
  }

  /**
   * become makes the instance one of another version of its template. goesOn has the bindings whose
   * parts go on, with those that they had before.
   */
  become(template: Template, targets: Element[], [, , values, object = 0, owners]: Mount, goesOn: ReadonlyMap<Binding, Binding>): void {
    const others = owners && new Map(owners);
    const parts: (Part | undefined)[] = [];
    for (const [binding, { slot }] of goesOn) {
      const part = this.parts[slot];
      if (part === undefined) continue;
      if (this.owner(slot) !== (others?.get(binding.slot) ?? object)) part.rebound?.();
      parts[binding.slot] = part;
    }
    for (const [binding] of goesOn) {
      const at = parts[binding.slot]?.at;
      if (at !== undefined && binding instanceof Stateful) at.binding = binding;
    }
    this.template = template;
    this.targets = targets;
    this.parts = parts;
    this.object = object;
    this.#owners = others;
    this.#values = [...values];
  }

  /**
   * renew makes the instance one of another run of the session, and reports whether it is: it shows
   * the same, or is an app or around one. Fields that may be others hand back what was entered.
   */
  renew([, , values, object = 0, owners]: Mount): boolean {
    const slots = this.template.order.map(({ slot }) => ({ slot, part: this.parts[slot], raw: values[slot] ?? null }));
    const whole = slots.every(({ slot, part, raw }) =>
      part?.children !== undefined || (part?.shows?.(raw) ?? same(this.#values[slot] as Value, raw as Value)));
    if (!whole && this.parent?.parent != null) return false;
    const others = owners && new Map(owners);
    for (const { slot, part, raw } of slots) if (part?.shows?.(raw) === false || (!whole && others?.has(slot) === true)) part?.rebound?.();
    this.object = object;
    this.#owners = others;
    return (this.live = true);
  }

  /** show records that the instance shows another object. */
  show(object: number): void {
    if (object === this.object) return;
    // First, so that unsent edits are handed back as those of the object before.
    this.parts.forEach((part, slot) => {
      if (this.#owners?.has(slot) !== true) part?.rebound?.();
    });
    this.object = object;
  }

  /** own records that a slot writes to another object. */
  own([slot, object]: Owner): void {
    if (this.owner(slot) !== object) this.parts[slot]?.rebound?.();
    this.#owners ??= new Map();
    this.#owners.set(slot, object);
  }

  /** set gives one binding its new value. Slots without a binding are ignored. */
  set(page: PageContext, slot: number, raw: unknown): void {
    this.#remember(slot, raw);
    const binding = this.template.bindings[slot];
    if (binding === undefined) return;
    try {
      binding.set(this, raw);
    } catch (error) {
      page.report(`${this.template.key}, slot ${slot}`, error);
    }
  }

  /** bind starts a binding with raw, or with the remembered value. */
  bind(page: PageContext, binding: Binding, raw: unknown = this.#values[binding.slot]): void {
    try {
      binding.bind(page, this, raw);
      this.#remember(binding.slot, raw);
    } catch (error) {
      page.report(`${this.template.key}, slot ${binding.slot}`, error);
    }
  }

  #remember(slot: number, raw: unknown): void {
    this.#values[slot] = this.parts[slot]?.children === undefined ? (raw ?? null) : null;
  }

  /** replaced records that next replaced old, which may be roots of this instance and its ancestors. */
  replaced(old: readonly ChildNode[], next: readonly ChildNode[]): void {
    const at = this.roots.indexOf(old[0] as ChildNode);
    if (at < 0) return;
    this.roots.splice(at, old.length, ...next);
    this.rootsChanged?.();
    this.parent?.replaced(old, next);
  }
}

/** Holder is what an instance is in: a list or a view. */
export interface Holder {
  readonly inherited: Inherited | null; // by each instance in it
  /** exchange puts an instance from elsewhere, with its nodes, where one of this holder is. */
  exchange(instance: Instance, by: Instance): void;
}

/** Part is the state of one binding in one instance. */
export interface Part {
  at?: At; // set by bind
  set(raw: unknown): void;
  /** shows reports whether a field has a value, or what the person has made of it is that. */
  shows?(raw: unknown): boolean;
  /** rebound is called when the binding writes to another object from now on. */
  rebound?(): void;
  /** renamed is called when the instance, whose id was old, has a new id. */
  renamed?(old: number): void;
  /** children returns the instances that the binding holds, for kinds that hold any. */
  children?(): readonly Instance[];
  /** roots returns the nodes that stand for the element, for kinds that replace it. */
  roots?(): readonly ChildNode[];
  /** placeholder is in the document while the binding has nothing to display, for kinds that replace it. */
  readonly placeholder?: Element;
  /** taken is called when the part has become that of a binding of another version of the template. */
  taken?(): void;
  dispose(): void;
}

/** onChange is a part that calls act with each value that differs from the one before. It begins with null. */
export function onChange(act: (value: Value) => void): Part {
  let last: Value = null;
  return {
    set: (raw) => {
      const value = scalarOf(raw);
      if (same(value, last)) return;
      last = value;
      act(value);
    },
    dispose: () => {},
  };
}

/** Of is where a part finds the binding that it belongs to now. */
export interface Of<B> {
  readonly binding: B;
}

/** At is the binding that a part belongs to, which changes with the version of the template. */
export interface At {
  binding: Stateful;
}

/** Binding is one entry of a definition's list, shared by all instances of the template. */
export abstract class Binding {
  readonly slot: number;
  readonly element: number;
  readonly name: string;
  readonly opts: Opts;

  constructor(slot: number, { element, name, opts }: Bind) {
    this.slot = slot;
    this.element = element;
    this.name = name;
    this.opts = opts;
  }

  /** bind starts the binding in a new instance. */
  abstract bind(page: PageContext, instance: Instance, raw: unknown): void;
  /** set takes a new value. */
  abstract set(instance: Instance, raw: unknown): void;
  /** follows reports whether the binding can take over the part of one of an earlier version of the template. */
  follows(old: Binding): boolean {
    return old.constructor === this.constructor;
  }
  /** undo takes back what the binding has made of an element that stays without it. */
  undo(_: Instance): void {}
  /** unbind ends the binding. Scripts may keep the element, so no listener may stay on it. */
  abstract unbind(instance: Instance): void;
}

/** Plain is a stateless binding: its value is applied to its element. */
export abstract class Plain extends Binding {
  protected abstract apply(element: Element, raw: unknown): void;

  override bind(_: PageContext, instance: Instance, raw: unknown): void {
    this.apply(instance.targets[this.element] as Element, raw);
  }

  override set(instance: Instance, raw: unknown): void {
    this.apply(instance.targets[this.element] as Element, raw);
  }

  override undo(instance: Instance): void {
    this.apply(instance.targets[this.element] as Element, null);
  }

  override unbind(): void {}
}

/** Stateful is a binding that keeps a Part in each instance. */
export abstract class Stateful extends Binding {
  /** make starts the binding. It goes on as at.binding: this may be of an earlier version of the template. */
  protected abstract make(page: PageContext, instance: Instance, target: Element, at: Of<this>): Part;

  override bind(page: PageContext, instance: Instance, raw: unknown): void {
    const at = { binding: this };
    const part = this.make(page, instance, instance.targets[this.element] as Element, at);
    part.at = at;
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
