// Compiles definitions into templates that can be cloned and walked.

import type { Bind, Def } from "../wire";
import { content as contentControl, controlOf } from "./control";
import { idsOf } from "./ids";
import type { Binding, Template } from "./instance";
import { Code } from "./bindings/code";
import { Action, DOMEvent, Key } from "./bindings/event";
import { InnerHTML, OuterHTML } from "./bindings/html";
import { Focus, Scroll } from "./bindings/attention";
import { List } from "./bindings/list";
import { Measure } from "./bindings/measure";
import { Attr, Class, Classes, Content, Style, Styles } from "./bindings/plain";
import { AutoScroll } from "./bindings/autoscroll";
import { Upload } from "./bindings/upload";
import { Edited, Display } from "./bindings/value";
import { View } from "./bindings/view";
import { dropRefreshes } from "./refreshes";
import { upload } from "./upload";
import { number, observed } from "./observed";
import { pathsTo } from "./walk";
import { leavesOf, openElements, type Leaf } from "./written";

type Report = (where: string, error: unknown) => void;

type Elements = readonly (Element | undefined)[]; // by the number in data-ui

/** compile makes a template. Invalid bindings are reported and left out. */
export function compile(def: Def, report: Report): Template {
  const { content } = parse(def.html);
  if (observed) number(content);
  const elements = takeMarkers(content);
  const exemplars = takeExemplars(def.bind, elements);
  tidy(content);
  dropRefreshes(content, elements);
  content.firstElementChild?.setAttribute("ui-viewdef", def.key);

  const scripts = [...content.querySelectorAll("script")].filter((s) => s instanceof HTMLScriptElement); // not SVG's
  const known = new Set<Element | undefined>([...elements, ...scripts]);
  const others = openElements(content, [...new Set(def.bind.map(({ element }) => elements[element]))]).filter((e) => !known.has(e));
  const targets = [...Array.from(elements), ...scripts, ...others];
  const roots = [...content.childNodes];
  let leaves: readonly Leaf[] | undefined;
  const single = content.childNodes.length === 1;
  const proto = single ? (content.firstChild as ChildNode) : content;
  return {
    key: def.key,
    proto,
    single,
    self: targets.indexOf(proto as Element),
    steps: pathsTo(proto, targets),
    scripts: [elements.length, elements.length + scripts.length],
    elements: targets,
    get leaves() {
      return (leaves ??= leavesOf(roots, targets, def.bind)); // most views are not saved while they are displayed
    },
    ids: idsOf(def.bind, elements),
    ...bindingsOf(def, content, elements, exemplars, report),
  };
}

/** bindingsOf makes the bindings of a definition. */
function bindingsOf(
  { key, bind }: Def,
  content: DocumentFragment,
  elements: Elements,
  exemplars: ReadonlyMap<number, Element>,
  report: Report,
): Pick<Template, "bindings" | "order"> {
  // The other bindings of a view's element follow the view from one instance to the next.
  const followers = new Map<number, Binding[]>();
  for (const { kind, element } of bind) if (kind === "view") followers.set(element, []);
  const bindings = bind.map((b, slot): Binding | undefined => {
    try {
      const element = elements[b.element];
      if (element === undefined || !content.contains(element)) {
        throw new Error(`element ${b.element} is not in the template, or in the placeholder of a list`);
      }
      const following = followers.get(b.element) ?? [];
      if (b.kind === "view") return new View(slot, b, following);
      if (followers.has(b.element) && REPLACING.has(b.kind)) {
        throw new Error(`an element cannot have both a view and a binding of kind ${b.kind}`);
      }
      const binding = bindingOf(b, slot, element, exemplars.get(b.element) ?? null);
      following.push(binding);
      return binding;
    } catch (error) {
      report(`${key}, slot ${slot}`, error);
      return undefined;
    }
  });
  const order = bindings.filter((b) => b !== undefined); // the server has sorted them by kind
  bind.forEach((b, slot) => {
    if (!b.opts.scrollOnOutput || bindings[slot] === undefined) return;
    const scroller = new AutoScroll(bind.length + slot, { ...b, name: "" }); // beyond the slots of the server
    order.push(scroller);
    followers.get(b.element)?.push(scroller);
  });
  return { bindings, order };
}

/** Kinds that claim the content of their element. */
const REPLACING: ReadonlySet<string> = new Set(["value", "html", "list"]);

/** The classes of kinds that have one each. */
const CLASSES = new Map<string, new (slot: number, bind: Bind) => Binding>(
  Object.entries({ class: Class, style: Style, code: Code, focus: Focus, scroll: Scroll, measure: Measure, action: Action, event: DOMEvent, key: Key }),
);

function bindingOf(b: Bind, slot: number, element: Element, exemplar: Element | null): Binding {
  switch (b.kind) {
    case "value": {
      if (b.opts.upload) return new Upload(slot, b);
      const control = b.opts.content ? upload : controlOf(element);
      if (b.opts.edit) return new Edited(slot, b, control ?? contentControl);
      return control ? new Display(slot, b, control) : new Content(slot, b);
    }
    case "attr":
      if (b.name === "class") return new Classes(slot, b);
      if (b.name === "style") return new Styles(slot, b);
      return new Attr(slot, b);
    case "html":
      return b.opts.replace ? new OuterHTML(slot, b) : new InnerHTML(slot, b);
    case "list":
      return new List(slot, b, exemplar);
  }
  const known = CLASSES.get(b.kind);
  if (known === undefined) throw new Error(`unknown kind of binding ${JSON.stringify(b.kind)}`);
  return new known(slot, b);
}

function parse(html: string): HTMLTemplateElement {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template;
}

/** takeMarkers returns the elements with bindings, and removes the attributes that number them. */
function takeMarkers(content: DocumentFragment): Elements {
  const elements: (Element | undefined)[] = [];
  for (const element of content.querySelectorAll("[data-ui]")) {
    elements[Number(element.getAttribute("data-ui"))] = element;
    element.removeAttribute("data-ui");
  }
  return elements;
}

/** takeExemplars removes the placeholders of rows from their lists and returns them by element. */
function takeExemplars(binds: readonly Bind[], elements: Elements): Map<number, Element> {
  const exemplars = new Map<number, Element>();
  for (const { kind, element: n } of binds) {
    const holder = elements[n];
    const exemplar = holder?.firstElementChild;
    if (kind !== "list" || holder == null || exemplar == null) continue;
    exemplar.remove();
    exemplars.set(n, exemplar);
    for (const node of [...holder.childNodes]) if (isBlank(node)) node.remove();
  }
  return exemplars;
}

/** tidy removes blank roots and comments, and ensures that there is a root. */
function tidy(content: DocumentFragment): void {
  for (const node of [...content.childNodes]) {
    if (isBlank(node) || node instanceof Comment) node.remove();
  }
  if (content.firstChild === null) content.append(document.createComment(""));
}

function isBlank(node: Node): boolean {
  return node instanceof Text && node.data.trim() === "";
}
