// Carries the person's state over when a view is rendered again: focus and caret, unsent text,
// scroll positions, and what is unfolded.
//
// In the same version of a template, elements correspond by their place. In another version, they
// correspond as data/correspond.ts says; what the person has typed and that finds no place is
// offered back.

import { correspond, sameTarget, type Described } from "../data/correspond";
import { focused, moveFocus, textIn } from "../focus";
import type { Edit, Outbox, Taken } from "../data/outbox";
import type { Value } from "../data/value";
import { staysAtEnd } from "./autoscroll";
import { isEdited } from "./control";
import { enter, type Editors } from "./editors";
import { isMade } from "./ids";
import type { Instance, Template } from "./instance";
import { labelOf } from "./label";
import { isSecret, localOf, typeOf, writeLocal } from "./local";

/** ElementState is the person's state of one element. */
interface ElementState {
  readonly element: Element; // the old one
  readonly index: number; // among the elements of its instance
  readonly scroll: readonly [left: number, top: number] | undefined;
  readonly open: boolean | undefined; // of an element that folds
  readonly focus: Selection | undefined;
  readonly edit: Taken | undefined; // of a bound control
  readonly local: Value | undefined; // of a control without binding
  readonly secret: boolean;
}

interface Selection {
  readonly start: number | null;
  readonly end: number | null;
  readonly direction: "forward" | "backward" | "none" | null;
}

/** Captured is the person's state of an instance and of the instances inside it. */
export interface Captured {
  readonly template: Template;
  readonly object: number;
  readonly elements: readonly Named[]; // all of the instance's own, in document order
  readonly states: readonly ElementState[];
  readonly within: readonly (readonly [place: string, captured: readonly Captured[]])[]; // by view or list
}

/** Named is an element and what identifies it. */
interface Named extends Described {
  readonly element: Element;
  readonly place: string; // within its version of the template
}

/** Left is the content of a control without binding that has no counterpart in the new version. */
export interface Left {
  readonly element: Element; // the old one
  readonly value: Value;
  /** find returns the counterpart in an instance, if that has one after all. */
  readonly find: (instance: Instance) => Element | undefined;
}

/** Adoption is what adopt uses, and its results. */
export interface Adoption {
  readonly editors: Editors;
  readonly outbox: Outbox;
  readonly adopted: Set<Edit>;
  readonly left: (captured: Captured, left: Left) => void;
}

/**
 * capture records the person's state of an instance, which must still be in the document, and takes
 * its edits out of the outbox. It returns undefined when there is nothing to record.
 */
export function capture(instance: Instance, editors: Editors, outbox: Outbox): Captured | undefined {
  const elements = elementsOf(instance);
  const states = elements.flatMap((element, index) => captureElement(element, index, editors, outbox) ?? []);
  const within = childrenOf(instance).flatMap(([place, children]): Captured["within"] => {
    const captures = children.flatMap((child) => capture(child, editors, outbox) ?? []);
    return captures.length > 0 ? [[place, captures]] : [];
  });
  if (states.length === 0 && within.length === 0) return undefined;
  return {
    template: instance.template,
    object: instance.object,
    elements: states.length === 0 ? [] : described(instance, elements), // most rows have no state
    states,
    within,
  };
}

/**
 * adopt applies captured state to an instance of a template with the same key, which must be in the
 * document. An edit only goes to a control that writes to the same object.
 */
export function adopt(captured: Captured, instance: Instance, adoption: Adoption): void {
  if (!instance.live) return;
  const changed = captured.template !== instance.template;
  adoptWithin(captured, instance, changed, adoption);
  if (captured.states.length === 0) return;
  const elements = described(instance, elementsOf(instance));
  const counterparts = changed ? correspond(captured.elements, elements) : inPlace(captured.elements, elements);
  for (const state of captured.states) {
    const from = captured.elements[state.index] as Named;
    const to = elements[counterparts[state.index] as number];
    const kept = to !== undefined && adoptElement(to, from, state, adoption);
    if (!kept && changed) leave(captured, state, adoption);
  }
}

/** editsOf returns all edits in captured state. */
export function editsOf({ states, within }: Captured): Taken[] {
  const edits = states.flatMap(({ edit }) => edit ?? []);
  return edits.concat(within.flatMap(([, captures]) => captures.flatMap(editsOf)));
}

/** Pool finds instances by what they display, each of them once. */
export class Pool {
  readonly #instances = new Map<string, Instance[]>();

  constructor(instances: Iterable<Instance>) {
    for (const instance of instances) {
      const name = `${instance.object} ${instance.template.key}`;
      const list = this.#instances.get(name);
      if (list === undefined) this.#instances.set(name, [instance]);
      else list.push(instance);
    }
  }

  /** take returns the next live instance that displays what was captured and that is not used. */
  take({ object, template }: Captured, used: ReadonlySet<Instance>): Instance | undefined {
    const list = this.#instances.get(`${object} ${template.key}`);
    for (let next = list?.shift(); next !== undefined; next = list?.shift()) {
      if (next.live && !used.has(next)) return next;
    }
    return undefined;
  }
}

/** adoptWithin adopts what was captured inside an instance. */
function adoptWithin(captured: Captured, instance: Instance, changed: boolean, adoption: Adoption): void {
  if (captured.within.length === 0) return;
  const children = new Map(childrenOf(instance));
  const used = new Set<Instance>();
  const rest: Captured[] = [];
  for (const [place, captures] of captured.within) {
    const pool = new Pool(children.get(place) ?? []);
    for (const c of captures) {
      const child = pool.take(c, used);
      if (child === undefined) {
        rest.push(c);
        continue;
      }
      used.add(child);
      adopt(c, child, adoption);
    }
  }
  if (rest.length === 0 || !changed) return;
  // Another version may have the view elsewhere.
  const pool = new Pool(descendants(instance));
  for (const c of rest) {
    const child = c.object === 0 ? undefined : pool.take(c, used);
    if (child === undefined) {
      leaveAll(c, adoption);
      continue;
    }
    used.add(child);
    adopt(c, child, adoption);
  }
}

function* descendants(instance: Instance): Iterable<Instance> {
  for (const [, children] of childrenOf(instance)) {
    for (const child of children) {
      yield child;
      yield* descendants(child);
    }
  }
}

/** leave hands back the content of a control without binding. */
function leave(captured: Captured, { element, index, local }: ElementState, { left }: Adoption): void {
  if (local === undefined) return;
  left(captured, {
    element,
    value: local,
    find: (instance) => {
      const elements = described(instance, elementsOf(instance));
      return elements[correspond(captured.elements, elements)[index] as number]?.element;
    },
  });
}

function leaveAll(captured: Captured, adoption: Adoption): void {
  for (const state of captured.states) leave(captured, state, adoption);
  for (const [, captures] of captured.within) for (const c of captures) leaveAll(c, adoption);
}

/** inPlace returns the counterparts in the same version of a template. */
function inPlace(old: readonly Named[], next: readonly Named[]): number[] {
  const places = new Map(next.map(({ place }, i) => [place, i]));
  return old.map(({ place }) => places.get(place) ?? -1);
}

/** elementsOf returns an instance's own elements, without the elements of instances inside it. */
function elementsOf(instance: Instance): Element[] {
  const others = new Set<Node>();
  for (const [, children] of childrenOf(instance)) {
    for (const child of children) for (const root of child.roots) others.add(root);
  }
  const elements: Element[] = [];
  const visit = (element: Element): void => {
    if (others.has(element)) return;
    elements.push(element);
    for (const child of element.children) visit(child);
  };
  for (const root of instance.roots) if (root instanceof Element) visit(root);
  return elements;
}

/** described adds what identifies an instance's elements. */
function described({ template, targets }: Instance, elements: readonly Element[]): Named[] {
  const numbers = new Map<Element, number>();
  for (const { element } of template.order) {
    const target = targets[element];
    if (target !== undefined) numbers.set(target, element);
  }
  const seen = new Map<string, number>();
  return elements.map((element) => {
    const number = numbers.get(element);
    const id = isMade(element.id) ? "" : element.id;
    const kind = kindOf(element);
    const look = `${element.getAttribute("name")} ${element.className}`;
    let place = `@${number}`;
    if (number === undefined) {
      place = id === "" ? `${kind} ${look}` : `#${id}`;
      const n = seen.get(place) ?? 0;
      seen.set(place, n + 1);
      place += ` ${n}`;
    }
    const written = (number === undefined ? undefined : template.written[number]) ?? "";
    const label = written === "" && isEdited(element) ? labelOf(element) : "";
    return { element, place, id, kind, look, label, written };
  });
}

/** kindOf says what an element is, and of a control which content it can have. */
export function kindOf(element: Element): string {
  const type = typeOf(element);
  const kind = `${element.localName} ${type}`;
  if (type === "radio") return `${kind} ${element.getAttribute("value")}`; // one choice of several with one binding
  return element.hasAttribute("multiple") ? `${kind} multiple` : kind;
}

/** childrenOf returns the instances inside an instance, by the view or list as written. */
function childrenOf({ template, parts }: Instance): [place: string, readonly Instance[]][] {
  const children: [string, readonly Instance[]][] = [];
  const seen = new Map<string, number>();
  template.bindings.forEach((binding, slot) => {
    const held = parts[slot]?.children?.();
    if (binding === undefined || held === undefined) return;
    const written = template.written[binding.element] ?? "";
    const n = seen.get(written) ?? 0;
    seen.set(written, n + 1);
    children.push([`${written} ${n}`, held]);
  });
  return children;
}

function captureElement(element: Element, index: number, editors: Editors, outbox: Outbox): ElementState | undefined {
  const { scrollLeft, scrollTop } = element;
  const entry = editors.of(element);
  const state = {
    scroll: (scrollLeft !== 0 || scrollTop !== 0) && !staysAtEnd(element) ? ([scrollLeft, scrollTop] as const) : undefined,
    open: folds(element) ? element.open : undefined,
    focus: focused() === element ? selectionOf(element) : undefined,
    edit: entry && outbox.take(entry.field),
    local: entry === undefined ? localOf(element) : undefined,
  };
  if (Object.values(state).every((v) => v === undefined)) return undefined;
  if (state.edit !== undefined || state.local !== undefined) labelOf(element); // it may be needed when the element is gone
  return { ...state, element, index, secret: isSecret(element) };
}

/** adoptElement applies state to a counterpart. It reports whether that took the content of the old one. */
function adoptElement(
  { element, written }: Named, from: Named, { scroll, open, focus, edit, local, secret }: ElementState,
  { editors, outbox, adopted }: Adoption,
): boolean {
  if (open !== undefined && folds(element)) element.open = open;
  const entry = editors.of(element);
  let kept = edit === undefined && local === undefined;
  // What was typed into a field for passwords does not go to one that displays it.
  if (!secret || isSecret(element)) {
    if (edit !== undefined && entry?.field.editor.owner === edit.owner && sameTarget(written, from.written)) {
      kept = enter(entry, edit.value, outbox);
      if (kept) adopted.add(edit);
      if (kept && edit.sent) outbox.commit(entry.field);
    }
    if (local !== undefined && entry === undefined) kept = writeLocal(element, local);
  }
  if (scroll !== undefined) element.scrollTo({ left: scroll[0], top: scroll[1], behavior: "instant" });
  // Further typing is only meant for what the person was typing into.
  if (focus !== undefined && kept) void focusOn(element, focus);
  return kept;
}

async function focusOn(element: Element, { start, end, direction }: Selection): Promise<void> {
  // A component must have rendered before it can be focused.
  const drawn: unknown = Reflect.get(element, "updateComplete");
  if (drawn instanceof Promise) await drawn;
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  moveFocus(element);
  const text = textIn(element);
  if (start === null || end === null || text === undefined || text.selectionStart === null) return;
  text.setSelectionRange(start, end, direction ?? "none");
}

function selectionOf(element: Element): Selection {
  const text = textIn(element);
  return {
    start: text?.selectionStart ?? null,
    end: text?.selectionEnd ?? null,
    direction: text?.selectionDirection ?? null,
  };
}

function folds(element: Element): element is Element & { open: boolean } {
  return (element.localName === "details" || element.localName === "sl-details") && "open" in element;
}
