// Makes an instance one of another version of its template. The nodes whose written form has not
// changed stay, in place or moved: what the person does with them goes on.

import { childrenOf, match } from "../data/match";
import { stationary } from "../data/order";
import { focused, moveFocus } from "../focus";
import type { Mount } from "../wire";
import { amend, changes, type Change } from "./attributes";
import { rendered } from "./bindings/attention";
import { giveIDs, isMade, takeIDs } from "./ids";
import { applyInherited, hostOf, reinherit, type Inherited } from "./inherited";
import type { Binding, Instance, PageContext, Part, Template } from "./instance";
import { move } from "./region";
import { pathsTo, walk, type Step } from "./walk";
import type { Leaf } from "./written";

export interface Morphing extends PageContext {
  /** register makes an instance known by another id. */
  register(instance: Instance, id: number): void;
}

/** Plan is what two versions of a template have in common. Nodes are indexes in their leaves; -1 has the roots as its children. */
interface Plan {
  readonly pairs: readonly number[]; // by node of the next version, that of the old one; -1 for new ones
  readonly gone: readonly number[]; // nodes of the old version without counterpart, without those in them
  readonly children: ReadonlyMap<number, readonly number[]>; // of the next version
  readonly before: ReadonlyMap<number, readonly number[]>; // of the old version
  readonly steps: readonly number[]; // nodes of the next version with children to arrange, or to fill in
  readonly arranged: readonly number[]; // those of them that stay
  readonly fresh: readonly { readonly at: number; readonly steps: readonly Step[] }[]; // new nodes in those that stay
  readonly changes: ReadonlyMap<number, readonly Change[]>; // of attributes, by node of the next version that stays
  readonly goesOn: ReadonlyMap<Binding, Binding>; // by binding of the next version, the old one whose part it takes over
  readonly ended: readonly Binding[]; // old bindings that nothing takes over
  readonly undone: readonly Binding[]; // those of them whose elements stay
}

const plans = new WeakMap<Template, WeakMap<Template, Plan>>();

function planOf(old: Template, next: Template): Plan {
  const known = plans.get(old) ?? new WeakMap<Template, Plan>();
  plans.set(old, known);
  const plan = known.get(next) ?? compare(old, next);
  known.set(next, plan);
  return plan;
}

function compare(old: Template, next: Template): Plan {
  const pairs = match(old.leaves, next.leaves);
  const [children, before] = [childrenOf(next.leaves), childrenOf(old.leaves)];
  const kept = new Set(pairs);
  const gone = old.leaves.flatMap(({ parent }, i) => (kept.has(i) || (parent >= 0 && !kept.has(parent)) ? [] : [i]));
  const [steps, arranged]: [number[], number[]] = [[], []];
  const fresh: { at: number; steps: readonly Step[] }[] = [];
  const amended = new Map<number, readonly Change[]>();
  const from = new Map<number, number>(); // by target of the next version, that of the old one
  for (let j = -1; j < next.leaves.length; j++) {
    const i = j < 0 ? -1 : (pairs[j] as number);
    const list = children.get(j) ?? [];
    const isNew = j >= 0 && i < 0;
    const earlier = isNew ? undefined : (before.get(i) ?? []);
    if (earlier === undefined ? list.some((k) => (pairs[k] as number) >= 0) : list.length !== earlier.length || list.some((k, n) => pairs[k] !== earlier[n])) {
      steps.push(j);
      if (!isNew) arranged.push(j);
    }
    if (j < 0) continue;
    const { target, node, parent } = next.leaves[j] as Leaf;
    if (isNew) {
      if (parent < 0 || (pairs[parent] as number) >= 0) fresh.push({ at: j, steps: pathsTo(node, next.elements) });
    } else if (target >= 0) {
      const was = old.leaves[i] as Leaf;
      from.set(target, was.target);
      const differences = changes(was.node as Element, node as Element);
      if (differences.length > 0) amended.set(j, differences);
    }
  }
  const goesOn = new Map<Binding, Binding>();
  const taken = new Set<Binding>();
  for (const binding of next.order) {
    const target = from.get(binding.element);
    const earlier = old.order.find((b) => b.element === target && !taken.has(b) && binding.follows(b) && b.name === binding.name);
    if (earlier === undefined) continue;
    goesOn.set(binding, earlier);
    taken.add(earlier);
  }
  const ended = old.order.filter((b) => !taken.has(b));
  const staying = new Set(from.values());
  const undone = ended.filter(({ element }) => staying.has(element));
  for (const { element } of undone) {
    // What is written in place of what the binding has made.
    const j = next.leaves.findIndex(({ target }) => target >= 0 && from.get(target) === element);
    amended.set(j, [...(amended.get(j) ?? []), ...changes(null, (next.leaves[j] as Leaf).node as Element)]);
  }
  return { pairs, gone, children, before, steps, arranged, fresh, changes: amended, goesOn, ended, undone };
}

/** Morph makes an instance that is in the document one of another version of its template. */
export class Morph {
  readonly #page: Morphing;
  readonly #instance: Instance;
  readonly #old: Template;
  readonly #next: Template;
  readonly #plan: Plan;
  readonly #parent: ParentNode & Node; // of the roots
  readonly #was: readonly Element[]; // the old targets
  readonly #targets: Element[] = [];
  readonly #holders = new Map<number, Part>(); // by old target: parts with roots of their own
  readonly #texts = new Map<number, ChildNode>(); // by old leaf
  readonly #clones = new Map<number, ChildNode>(); // by leaf of the next version
  readonly #copies: Element[] = []; // by target of the next version: what a clone has of it

  constructor(page: Morphing, instance: Instance, next: Template) {
    this.#page = page;
    this.#instance = instance;
    this.#old = instance.template;
    this.#next = next;
    this.#plan = planOf(instance.template, next);
    this.#was = instance.targets;
    this.#parent = (instance.roots[0] as ChildNode).parentNode as ParentNode & Node;
  }

  run(mount: Mount, inherited: Inherited | null): void {
    const { pairs, goesOn, changes, fresh, steps } = this.#plan;
    const [page, instance, old, next] = [this.#page, this.#instance, this.#old, this.#next];
    const { id: was, roots } = instance;
    const after = (roots.at(-1) as ChildNode).nextSibling;
    for (const { slot, element } of old.order) {
      const part = instance.parts[slot];
      if (part?.roots !== undefined) this.#holders.set(element, part);
    }
    const leaving = this.#plan.gone.flatMap((i) => this.#live(i));
    const heir = this.#heir();
    this.#look();
    this.#end();

    for (const { at, steps: within } of fresh) {
      const { node, target } = next.leaves[at] as Leaf;
      const clone = document.importNode(node, true) as ChildNode;
      if (target >= 0) this.#copies[target] = clone as Element;
      walk(clone, within, this.#copies);
      this.#clones.set(at, clone);
    }
    next.leaves.forEach(({ target, node }, j) => {
      if (target < 0) return;
      const i = pairs[j] as number;
      if (i < 0) {
        this.#targets[target] = this.#copies[target] as Element;
        return;
      }
      const { target: before, node: earlier } = old.leaves[i] as Leaf;
      const placeholder = this.#holders.get(before)?.placeholder;
      this.#targets[target] = placeholder ?? (this.#was[before] as Element);
      if (placeholder === undefined) return;
      if (isMade(placeholder.id)) placeholder.removeAttribute("id");
      if ((earlier as Element).innerHTML !== (node as Element).innerHTML) {
        placeholder.replaceChildren(...document.importNode(node, true).childNodes);
      }
    });

    takeIDs(instance);
    for (const [j, list] of changes) amend(this.#targets[(next.leaves[j] as Leaf).target] as Element, list);
    const shape = this.#children(-1).flatMap((j) => this.#targets[(next.leaves[j] as Leaf).target] ?? []);
    const before = (this.#plan.before.get(-1) ?? []).flatMap((i) => {
      const { target } = old.leaves[i] as Leaf;
      return this.#holders.get(target)?.placeholder ?? this.#was[target] ?? [];
    });
    if (inherited !== null && (shape[0] !== before[0] || hostOf(shape) !== hostOf(before))) {
      reinherit(inherited, null, before);
      applyInherited(inherited, shape);
    }
    giveIDs({ id: mount[1], roots: shape, targets: this.#targets, template: next });
    for (const [target, part] of this.#holders) {
      const first = part.placeholder === undefined ? part.roots?.().find((node) => node instanceof Element) : undefined;
      if (first !== undefined && isMade(first.id)) first.id = (this.#was[target] as Element).id;
    }

    for (const j of steps) {
      if (j < 0) this.#arrange(-1, -1, this.#parent, after);
      else if ((pairs[j] as number) < 0) this.#fill(j);
      else this.#arrange(j, pairs[j] as number, this.#targets[(next.leaves[j] as Leaf).target] as Element, null);
    }
    page.discard(leaving);

    instance.become(next, this.#targets, mount, goesOn);
    if (this.#plan.arranged.includes(-1)) instance.roots = this.#children(-1).flatMap((j) => [...this.#nodes(j)]);
    for (const part of instance.parts) part?.taken?.();
    for (const j of next.leaves.keys()) {
      const { target } = next.leaves[j] as Leaf;
      const part = target < 0 || (pairs[j] as number) < 0 ? undefined : this.#holders.get((old.leaves[pairs[j] as number] as Leaf).target);
      if (part?.placeholder !== undefined) this.#targets[target] = hostOf(part.roots?.() ?? []) ?? part.placeholder;
    }
    page.register(instance, mount[1]);
    for (const part of instance.parts) part?.renamed?.(was);
    if (roots !== instance.roots) {
      instance.rootsChanged?.();
      instance.parent?.replaced(roots, instance.roots);
    }
    for (const binding of next.order) {
      const raw = mount[2][binding.slot];
      if (goesOn.has(binding)) instance.set(page, binding.slot, raw);
      else instance.bind(page, binding, raw);
    }
    const to = this.#targets[heir ?? -1];
    if (to instanceof HTMLElement) void rendered(to).then(() => moveFocus(to));
  }

  /** heir returns the target in the place of the element with the focus, which goes: as many of its name come as go. */
  #heir(): number | undefined {
    const [{ leaves: old }, { leaves: next }, { pairs }] = [this.#old, this.#next, this.#plan];
    const at = focused();
    const active = old.findIndex(({ target }) => target >= 0 && this.#was[target] === at);
    const alike = (leaves: readonly Leaf[], goes: (k: number) => boolean): number[] =>
      [...leaves.keys()].filter((k) => leaves[k]?.node.nodeName === old[active]?.node.nodeName && goes(k));
    const [gone, come] = [alike(old, (i) => !pairs.includes(i)), alike(next, (j) => pairs[j] === -1)];
    return gone.length === come.length ? next[come[gone.indexOf(active)] ?? -1]?.target : undefined;
  }

  /** look notes which texts are whose, before anything changes. */
  #look(): void {
    for (const j of this.#plan.arranged) {
      const i = j < 0 ? -1 : (this.#plan.pairs[j] as number);
      const known = new Set<Node | null>();
      for (const k of this.#plan.before.get(i) ?? []) for (const node of this.#live(k)) known.add(node);
      const own = i < 0 ? new Set<Node>(this.#instance.roots) : undefined;
      const home = i < 0 ? this.#parent : (this.#was[(this.#old.leaves[i] as Leaf).target] as Node);
      let at = i < 0 ? (this.#instance.roots[0] ?? null) : home.firstChild;
      for (const k of this.#plan.before.get(i) ?? []) {
        const { target, node } = this.#old.leaves[k] as Leaf;
        if (target >= 0) {
          const last = this.#live(k).at(-1);
          if (last?.parentNode === home) at = last.nextSibling;
          continue;
        }
        const text = textFrom(at, node, known, own);
        if (text === undefined) continue;
        this.#texts.set(k, text);
        at = text.nextSibling;
      }
    }
  }

  /** end ends the bindings that nothing takes over. */
  #end(): void {
    const [page, instance, old] = [this.#page, this.#instance, this.#old];
    const { ended, undone } = this.#plan;
    for (const binding of ended) {
      try {
        binding.unbind(instance);
        if (undone.includes(binding)) binding.undo(instance);
      } catch (error) {
        page.report(`${old.key}, slot ${binding.slot}`, error);
      }
    }
  }

  #children(j: number): readonly number[] {
    return this.#plan.children.get(j) ?? [];
  }

  /** live returns the nodes of an element of the old version. */
  #live(i: number): readonly ChildNode[] {
    const { target } = this.#old.leaves[i] as Leaf;
    const element = this.#was[target];
    return this.#holders.get(target)?.roots?.() ?? (element === undefined ? [] : [element]);
  }

  /** nodes returns the nodes of one of the next version; none of a text that a script has taken away. */
  #nodes(j: number): readonly ChildNode[] {
    const i = this.#plan.pairs[j] as number;
    const { target, node, parent } = this.#next.leaves[j] as Leaf;
    if (i < 0) return [this.#clones.get(j) as ChildNode];
    if (target >= 0) return this.#live(i);
    const same = (this.#old.leaves[i] as Leaf).parent === (parent < 0 ? -1 : this.#plan.pairs[parent]);
    if (!same && !this.#clones.has(j)) this.#clones.set(j, document.importNode(node, true) as ChildNode);
    const text = same ? this.#texts.get(i) : this.#clones.get(j);
    return text === undefined ? [] : [text];
  }

  /** arrange puts the children of a node that stays in order. What scripts have put between them stays there; what they have moved is moved back. */
  #arrange(j: number, i: number, parent: ParentNode & Node, after: ChildNode | null): void {
    const units = this.#children(j).map((k) => this.#nodes(k)).filter((nodes) => nodes.length > 0);
    const gone = new Set((this.#plan.before.get(i) ?? []).flatMap((k) => this.#texts.get(k) ?? []));
    for (const nodes of units) for (const node of nodes) gone.delete(node);
    const places = new Map<Node, number>();
    for (let child = parent.firstChild, n = 0; child !== null; child = child.nextSibling) places.set(child, n++);
    const origin = units.map(([first]) => places.get(first as Node) ?? -1);
    const active = focused();
    const stays = stationary(origin, units.findIndex((nodes) => nodes.some((node) => node.contains(active))));
    let anchor = after;
    for (let k = units.length - 1; k >= 0; k--) {
      const nodes = units[k] as readonly ChildNode[];
      if (!stays[k]) for (const node of nodes) move(parent, node, anchor);
      anchor = nodes[0] as ChildNode;
    }
    for (const text of gone) text.remove();
  }

  /** fill puts the nodes that stay where a new one has copies of them. */
  #fill(j: number): void {
    for (const k of this.#children(j)) {
      const { target } = this.#next.leaves[k] as Leaf;
      if (target < 0 || (this.#plan.pairs[k] as number) < 0) continue;
      const copy = this.#copies[target] as Element;
      for (const node of this.#nodes(k)) move(copy.parentNode as ParentNode & Node, node, copy);
      copy.remove();
    }
  }
}

/** textFrom returns the text or comment of a template from a node on: as it is written, or as a script has changed it. */
function textFrom(
  from: ChildNode | null, { nodeType, nodeValue }: Node, known: ReadonlySet<Node | null>, own: ReadonlySet<Node> | undefined,
): ChildNode | undefined {
  let changed: ChildNode | undefined;
  for (let node = from; node !== null && !known.has(node) && own?.has(node) !== false; node = node.nextSibling) {
    if (node.nodeType !== nodeType) continue;
    if (node.nodeValue === nodeValue) return node;
    changed ??= node;
  }
  return changed;
}
