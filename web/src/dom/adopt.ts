// Carries the person's state over when a view is rendered again: focus and caret, unsent text,
// scroll positions, and what is unfolded.
//
// Elements of the old and the new view correspond when they have the same id, else the same
// bindings, else the same tag, name and classes. Several such elements correspond in order.

import type { Edit, Outbox, Taken } from "../data/outbox";
import type { Editors } from "./editors";
import { isMade } from "./ids";
import type { Instance } from "./instance";

/** ElementState is the person's state of one element. */
interface ElementState {
  readonly scroll: readonly [left: number, top: number] | undefined;
  readonly open: boolean | undefined; // of an element that folds
  readonly focus: Selection | undefined;
  readonly edit: Taken | undefined; // of a bound control
  readonly local: string | boolean | undefined; // of a control without binding
}

interface Selection {
  readonly start: number | null;
  readonly end: number | null;
  readonly direction: "forward" | "backward" | "none" | null;
}


/** Captured is the person's state of an instance and of the instances inside it. */
export interface Captured {
  readonly key: string;
  readonly object: number;
  readonly elements: ReadonlyMap<string, ElementState>;
  readonly within: ReadonlyMap<string, readonly Captured[]>; // by view or list
}

/** Local is a control without binding whose content only the page knows. */
type Local = HTMLInputElement | HTMLTextAreaElement;

/**
 * capture records the person's state of an instance, which must still be in the document, and takes
 * its edits out of the outbox. It returns undefined when there is nothing to record.
 */
export function capture(instance: Instance, editors: Editors, outbox: Outbox): Captured | undefined {
  const elements = new Map<string, ElementState>();
  for (const [name, element] of elementsOf(instance)) {
    const state = captureElement(element, editors, outbox);
    if (state !== undefined) elements.set(name, state);
  }
  const within = new Map<string, Captured[]>();
  for (const [name, children] of childrenOf(instance)) {
    const captures = children.flatMap((child) => capture(child, editors, outbox) ?? []);
    if (captures.length > 0) within.set(name, captures);
  }
  if (elements.size === 0 && within.size === 0) return undefined;
  return { key: instance.template.key, object: instance.object, elements, within };
}

/**
 * adopt applies captured state to an instance, which must be in the document, and adds the edits
 * that it could apply to adopted. An edit only goes to a control that writes to the same object.
 */
export function adopt(
  captured: Captured, instance: Instance, editors: Editors, outbox: Outbox, adopted: Set<Edit>,
): void {
  if (!instance.live || instance.template.key !== captured.key) return;
  const within = new Map(childrenOf(instance));
  for (const [name, captures] of captured.within) {
    const children = new Set(within.get(name));
    for (const c of captures) {
      const child = [...children].find(({ template, object }) => template.key === c.key && object === c.object);
      if (child === undefined) continue;
      children.delete(child);
      adopt(c, child, editors, outbox, adopted);
    }
  }
  if (captured.elements.size === 0) return;
  for (const [name, element] of elementsOf(instance)) {
    const state = captured.elements.get(name);
    if (state !== undefined) adoptElement(element, state, editors, outbox, adopted);
  }
}

/** editsOf returns all edits in captured state. */
export function editsOf(captured: Captured): Taken[] {
  const edits: Taken[] = [];
  for (const { edit } of captured.elements.values()) if (edit !== undefined) edits.push(edit);
  for (const captures of captured.within.values()) {
    for (const c of captures) edits.push(...editsOf(c));
  }
  return edits;
}

/** elementsOf names an instance's own elements, without those of the instances inside it. */
function elementsOf(instance: Instance): Map<string, Element> {
  const { template, targets, roots } = instance;
  const signatures = new Map<Element, string>();
  template.signatures.forEach((signature, i) => {
    const target = targets[i];
    if (target !== undefined) signatures.set(target, signature);
  });
  const others = new Set<Node>();
  for (const [, children] of childrenOf(instance)) {
    for (const child of children) for (const root of child.roots) others.add(root);
  }
  const named = new Map<string, Element>();
  const seen = new Map<string, number>();
  const visit = (element: Element): void => {
    if (others.has(element)) return;
    let name = `#${element.id}`;
    if (element.id === "" || isMade(element.id)) {
      const kind = `${element.localName} ${signatures.get(element) ?? signatureOf(element)}`;
      const n = seen.get(kind) ?? 0;
      seen.set(kind, n + 1);
      name = `${kind} ${n}`;
    }
    named.set(name, element);
    for (const child of element.children) visit(child);
  };
  for (const root of roots) if (root instanceof Element) visit(root);
  return named;
}

function signatureOf(element: Element): string {
  return `${element.getAttribute("type")} ${element.getAttribute("name")} ${element.className}`;
}

/** childrenOf returns the instances inside an instance, by view or list. */
function childrenOf({ template, parts }: Instance): [string, readonly Instance[]][] {
  const children: [string, readonly Instance[]][] = [];
  template.bindings.forEach((binding, slot) => {
    const held = parts[slot]?.children?.();
    if (binding !== undefined && held !== undefined) children.push([`${children.length}`, held]);
  });
  return children;
}

function captureElement(element: Element, editors: Editors, outbox: Outbox): ElementState | undefined {
  const { scrollLeft, scrollTop } = element;
  const entry = editors.of(element);
  const state: ElementState = {
    scroll: scrollLeft !== 0 || scrollTop !== 0 ? [scrollLeft, scrollTop] : undefined,
    open: folds(element) ? element.open : undefined,
    focus: document.activeElement === element ? selectionOf(element) : undefined,
    edit: entry && outbox.take(entry.field),
    local: entry === undefined ? localOf(element) : undefined,
  };
  return Object.values(state).some((v) => v !== undefined) ? state : undefined;
}

function adoptElement(
  element: Element, { scroll, open, focus, edit, local }: ElementState, editors: Editors, outbox: Outbox,
  adopted: Set<Edit>,
): void {
  if (open !== undefined && folds(element)) element.open = open;
  const entry = editors.of(element);
  if (edit !== undefined && entry !== undefined && entry.field.editor.owner === edit.owner) {
    adopted.add(edit);
    entry.control.write(element, edit.value);
    outbox.change(entry.field);
    if (edit.sent) outbox.commit(entry.field);
  }
  if (local !== undefined && entry === undefined && isLocal(element)) {
    if (typeof local === "string") element.value = local;
    else if (element instanceof HTMLInputElement) element.checked = local;
  }
  if (scroll !== undefined) element.scrollTo({ left: scroll[0], top: scroll[1], behavior: "instant" });
  // Further typing is only meant for the object of the edit.
  if (focus !== undefined && (edit === undefined || adopted.has(edit))) void focusOn(element, focus);
}

async function focusOn(element: Element, { start, end, direction }: Selection): Promise<void> {
  // A component must have rendered before it can be focused.
  const drawn: unknown = Reflect.get(element, "updateComplete");
  if (drawn instanceof Promise) await drawn;
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  element.focus({ preventScroll: true });
  if (start !== null && end !== null) textOf(element)?.setSelectionRange(start, end, direction ?? "none");
}

function selectionOf(element: Element): Selection {
  const text = textOf(element);
  return {
    start: text?.selectionStart ?? null,
    end: text?.selectionEnd ?? null,
    direction: text?.selectionDirection ?? null,
  };
}

/** textOf returns the focused text field in an element: the element itself, or one inside a component. */
function textOf(element: Element): HTMLInputElement | HTMLTextAreaElement | undefined {
  const inner = element.shadowRoot?.activeElement ?? element;
  return inner instanceof HTMLInputElement || inner instanceof HTMLTextAreaElement ? inner : undefined;
}

function folds(element: Element): element is Element & { open: boolean } {
  return (element.localName === "details" || element.localName === "sl-details") && "open" in element;
}

function isLocal(element: Element): element is Local {
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && element.type !== "file" && element.type !== "hidden")
  );
}

/** localOf returns a control's content if it differs from the template's. */
function localOf(element: Element): string | boolean | undefined {
  if (!isLocal(element)) return undefined;
  if (element instanceof HTMLInputElement && (element.type === "checkbox" || element.type === "radio")) {
    return element.checked !== element.defaultChecked ? element.checked : undefined;
  }
  return element.value !== element.defaultValue ? element.value : undefined;
}
