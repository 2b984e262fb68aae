// What the person has in a view when its definition changes: the focus and the
// caret, text that was not sent, how far things are scrolled, what is unfolded.
// The view is made anew, and these go over to it.
//
// An element of the old view and one of the new are taken for the same when
// they have the same id, else the same bindings, else the same tag, name and
// classes; of several such elements, the first is the first.

import type { Outbox } from "../data/outbox";
import type { Value } from "../data/value";
import type { Editors } from "./editors";
import type { Instance } from "./instance";

/** What is kept of one element. */
interface Kept {
  readonly scroll: readonly [left: number, top: number] | undefined;
  readonly open: boolean | undefined; // of something that folds
  readonly focus: Selection | undefined;
  readonly edit: Edit | undefined; // of a control with a variable
  readonly local: string | boolean | undefined; // of a control without
}

interface Selection {
  readonly start: number | null;
  readonly end: number | null;
  readonly direction: "forward" | "backward" | "none" | null;
}

interface Edit {
  readonly value: Value;
  readonly sent: boolean; // but not acknowledged: the answer will be for a view that is no more
}

/** Memory is what is kept of an instance and those within. */
export interface Memory {
  readonly key: string;
  readonly elements: ReadonlyMap<string, Kept>;
  readonly within: ReadonlyMap<string, readonly (Memory | undefined)[]>; // by the names of views and lists
}

/** Control that holds something of the person's without any binding. */
type Local = HTMLInputElement | HTMLTextAreaElement;

/** remember takes down what is the person's in an instance, which must still be in the document; undefined when nothing is. */
export function remember(instance: Instance, editors: Editors): Memory | undefined {
  const elements = new Map<string, Kept>();
  for (const [name, element] of elementsOf(instance)) {
    const kept = keep(element, editors);
    if (kept !== undefined) elements.set(name, kept);
  }
  const within = new Map<string, (Memory | undefined)[]>();
  for (const [name, children] of childrenOf(instance)) {
    const memories = children.map((child) => remember(child, editors));
    if (memories.some((m) => m !== undefined)) within.set(name, memories);
  }
  if (elements.size === 0 && within.size === 0) return undefined;
  return { key: instance.template.key, elements, within };
}

/** restore gives an instance, which is in the document, what was the person's in one before it. */
export function restore(memory: Memory, instance: Instance, editors: Editors, outbox: Outbox): void {
  if (!instance.live || instance.template.key !== memory.key) return;
  const within = new Map(childrenOf(instance));
  for (const [name, memories] of memory.within) {
    const children = within.get(name) ?? [];
    memories.forEach((m, i) => {
      const child = children[i];
      if (m !== undefined && child !== undefined) restore(m, child, editors, outbox);
    });
  }
  if (memory.elements.size === 0) return;
  for (const [name, element] of elementsOf(instance)) {
    const kept = memory.elements.get(name);
    if (kept !== undefined) give(element, kept, editors, outbox);
  }
}

/** elementsOf finds an instance's own elements, without those of instances within, and names them. */
function elementsOf(instance: Instance): Map<string, Element> {
  const { template, targets, roots } = instance;
  const marks = new Map<Element, string>();
  template.marks.forEach((mark, i) => {
    const target = targets[i];
    if (target !== undefined) marks.set(target, mark);
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
    if (element.id === "") {
      const kind = `${element.localName} ${marks.get(element) ?? looksOf(element)}`;
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

function looksOf(element: Element): string {
  return `${element.getAttribute("type")} ${element.getAttribute("name")} ${element.className}`;
}

/** childrenOf are the instances within, by names for the views and lists that hold them. */
function childrenOf({ template, parts }: Instance): [string, readonly Instance[]][] {
  const children: [string, readonly Instance[]][] = [];
  template.bindings.forEach((binding, slot) => {
    const held = parts[slot]?.children?.();
    if (binding !== undefined && held !== undefined) children.push([`${children.length}`, held]);
  });
  return children;
}

function keep(element: Element, editors: Editors): Kept | undefined {
  const { scrollLeft, scrollTop } = element;
  const entry = editors.of(element);
  const kept: Kept = {
    scroll: scrollLeft !== 0 || scrollTop !== 0 ? [scrollLeft, scrollTop] : undefined,
    open: folds(element) ? element.open : undefined,
    focus: document.activeElement === element ? selectionOf(element) : undefined,
    edit: entry?.field.held ? { value: entry.control.read(element) ?? null, sent: !entry.field.edited } : undefined,
    local: entry === undefined ? localOf(element) : undefined,
  };
  return Object.values(kept).some((v) => v !== undefined) ? kept : undefined;
}

function give(element: Element, { scroll, open, focus, edit, local }: Kept, editors: Editors, outbox: Outbox): void {
  if (open !== undefined && folds(element)) element.open = open;
  const entry = editors.of(element);
  if (edit !== undefined && entry !== undefined) {
    entry.control.write(element, edit.value);
    outbox.change(entry.field);
    if (edit.sent) outbox.commit(entry.field);
  }
  if (local !== undefined && entry === undefined && isLocal(element)) {
    if (typeof local === "string") element.value = local;
    else if (element instanceof HTMLInputElement) element.checked = local;
  }
  if (scroll !== undefined) element.scrollTo({ left: scroll[0], top: scroll[1], behavior: "instant" });
  if (focus !== undefined) void focusOn(element, focus);
}

async function focusOn(element: Element, { start, end, direction }: Selection): Promise<void> {
  // A component that has not drawn itself has nothing to focus.
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

/** textOf is the text field that has the focus in an element: itself, or one inside a component. */
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

/** localOf is what the person has made of a control, when it is not what the template says. */
function localOf(element: Element): string | boolean | undefined {
  if (!isLocal(element)) return undefined;
  if (element instanceof HTMLInputElement && (element.type === "checkbox" || element.type === "radio")) {
    return element.checked !== element.defaultChecked ? element.checked : undefined;
  }
  return element.value !== element.defaultValue ? element.value : undefined;
}
