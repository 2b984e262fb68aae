// HTML from the app, inside an element or instead of it.

import type { Value } from "../../data/value";
import { scalarOf } from "../../wire";
import { isMade } from "../ids";
import { Stateful, type Instance, type Part, type PageContext } from "../instance";
import { swap } from "../region";
import { dropRefreshes } from "../refreshes";

/** InnerHTML sets the content of its element. */
export class InnerHTML extends Stateful {
  protected override make(_: PageContext, __: Instance, element: Element): Part {
    let last: string | undefined;
    return {
      set: (raw) => {
        const html = htmlOf(scalarOf(raw));
        if (html === last) return;
        last = html;
        if (element.innerHTML !== html) element.innerHTML = html;
      },
      dispose: () => {},
    };
  }
}

/** OuterHTML replaces its element by parsed nodes. The first of them gets the element's id. */
export class OuterHTML extends Stateful {
  protected override make(_: PageContext, instance: Instance, target: Element): Part {
    let nodes: readonly ChildNode[] = [target];
    let last: string | undefined;
    return {
      set: (raw) => {
        const html = htmlOf(scalarOf(raw));
        if (html === last) return;
        last = html;
        const next = parse(html, target.id);
        swap(nodes, next);
        instance.replaced(nodes, next);
        nodes = next;
      },
      roots: () => nodes,
      dispose: () => {},
    };
  }
}

/** parse makes nodes of html, at least one of which is an element that can have the id. */
function parse(html: string, id: string): readonly ChildNode[] {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  const content = document.importNode(template.content, true);
  let first = content.firstElementChild;
  if (first === null) {
    first = document.createElement("span");
    first.toggleAttribute("hidden", html.trim() === "");
    first.append(content);
    content.append(first);
  }
  if (id !== "" && !(isMade(id) && first.id !== "")) first.id = id;
  return [...content.childNodes];
}

/** htmlOf returns a value as HTML, without what would load another document instead of the page. */
function htmlOf(value: Value): string {
  const html = value === null ? "" : String(value);
  if (!/http-equiv/i.test(html)) return html;
  const template = document.createElement("template");
  template.innerHTML = html;
  dropRefreshes(template.content);
  return template.innerHTML;
}
