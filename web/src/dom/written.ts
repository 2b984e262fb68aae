// The nodes of a template as its author has written them.

import type { Written } from "../data/match";
import type { Bind } from "../wire";
import { controlOf, isEdited } from "./control";
import { isButton } from "./implicit";
import { textFor } from "./label";
import { isSecret } from "./local";

/** Leaf is a node of a template; target is the number of an element, -1 for other nodes. */
export interface Leaf extends Written {
  readonly node: Node;
  readonly target: number;
}

/** WRITTEN_IN selects elements whose content people change where it is displayed. */
export const WRITTEN_IN = "[contenteditable]:not([contenteditable=false])";

type Elements = readonly (Element | undefined)[];

/** isClosed reports whether an element is not looked into: it is kept as a whole, or replaced. */
function isClosed(element: Element, bound: Elements): boolean {
  return element.matches("script, style, template") || (element.matches(`svg, math, ${WRITTEN_IN}`) && !holds(element, bound));
}

function holds(element: Element, bound: Elements): boolean {
  return bound.some((other) => other !== element && element.contains(other ?? null));
}

/** openElements returns the elements of a template's content that are looked into. bound are those with bindings. */
export function openElements(content: ParentNode, bound: Elements): Element[] {
  const found: Element[] = [];
  for (const child of content.children) {
    found.push(child);
    if (!isClosed(child, bound)) found.push(...openElements(child, bound));
  }
  return found;
}

/** leavesOf lists the nodes of a template's content. targets are its elements; binds says how they are bound. */
export function leavesOf(roots: readonly Node[], targets: Elements, binds: readonly Bind[]): readonly Leaf[] {
  const numbers = new Map(targets.map((element, n) => [element, n]));
  const bound = Map.groupBy(binds, ({ element }) => element);
  const elements = [...bound.keys()].map((n) => targets[n]);
  const leaves: Leaf[] = [];
  const add = (node: Node, parent: number): string => {
    const at = leaves.length;
    leaves.push(undefined as unknown as Leaf); // its size is not known yet
    const target = node instanceof Element ? (numbers.get(node) ?? -1) : -1;
    const says = node instanceof Element ? describe(node, bound.get(target) ?? [], elements) : plain(node);
    let whole = says.own;
    if (says.open) for (const child of node.childNodes) whole += add(child, at);
    if (says.open) whole += "<>";
    leaves[at] = { ...says, node, target, parent, whole, size: leaves.length - at };
    return whole;
  };
  for (const root of roots) add(root, -1);
  return leaves;
}

type Says = Pick<Leaf, "kind" | "id" | "look" | "sure" | "placed"> & {
  readonly own: string; // without what is in it
  readonly open: boolean; // it is looked into
};

function plain(node: Node): Says {
  const own = `${node.nodeName}${node.nodeValue ?? ""}\n`;
  return { own, kind: own, id: "", look: "", sure: false, placed: false, open: false };
}

/** acting returns the binding through which the person acts, as written, without options: what is bound otherwise is something else. */
function acting(element: Element): string {
  const names = element.getAttributeNames();
  const name = ["ui-value", "ui-action", "ui-html"].find((attribute) => names.includes(attribute));
  const all = name === undefined ? names.filter((attribute) => attribute.startsWith("ui-event-")).sort() : [name];
  return all.map((attribute) => `${attribute}=${element.getAttribute(attribute)?.split("?", 1)[0]?.trim()}`).join(" ");
}

function describe(element: Element, binds: readonly Bind[], bound: Elements): Says {
  const { localName, id } = element;
  const attributes = Array.from(element.attributes, ({ name, value }) => (name === "data-ui-at" ? "" : `${name}=${JSON.stringify(value)}`));
  let own = `<${localName} ${attributes.sort().join(" ")}>`;
  let look = element.className.toString();
  const acts = acting(element);
  let kind = `${localName} ${acts}`;
  const pressed = localName === "a" || isButton(element);
  const control = isEdited(element) || localName === "input" ? controlOf(element) : undefined;
  if (control !== undefined) {
    const type = element.getAttribute("type")?.toLowerCase();
    // Another kind of value, a secret, or one choice of several with the same binding.
    kind += ` ${control.input} ${type !== undefined && STRICT.has(type) ? type : isSecret(element)} ${element.hasAttribute("multiple")}`;
    if (type === "radio") kind += ` ${element.getAttribute("value")}`;
    if (!binds.some((b) => b.kind === "value")) {
      kind += ` ${element.getAttribute("name")}`;
      look = textFor(element);
      own += look;
    }
  } else if (pressed) {
    kind += ` ${element.getAttribute("href")} ${element.getAttribute("onclick")}`;
  }
  const closed = isClosed(element, bound);
  const view = binds.some((b) => b.kind === "view");
  const list = binds.some((b) => b.kind === "list");
  const filled = view || list || binds.some((b) => b.kind === "html" || (b.kind === "value" && controlOf(element) === undefined));
  const open = !closed && (!filled || holds(element, bound));
  if (!open) own += element.innerHTML;
  const text = closed && element.matches(WRITTEN_IN); // it may be the person's: with other content it is another element
  if (text) kind += element.innerHTML;
  else if (closed) kind = own;
  else if (view) kind = "view";
  else if (list) kind += ` list ${open ? "" : element.innerHTML}`;
  return {
    own: `${own}\n`, kind, id, look,
    sure: binds.some((b) => b.kind === "value" && b.opts.edit),
    placed: acts === "" && control === undefined && !pressed && (!closed || text),
    open,
  };
}

/** Types of inputs that hold another kind of value than text. */
const STRICT: ReadonlySet<string> = new Set(["checkbox", "radio", "file", "number", "range", "color", "date", "time", "month", "week", "datetime-local", "hidden", "button", "submit", "reset", "image"]);
