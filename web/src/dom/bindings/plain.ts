// Bindings that apply a value to their element.

import { scalarOf } from "../../wire";
import { restyle, words } from "../attributes";
import { writeContent } from "../control";
import { Plain, Stateful, type Instance, type Part, type PageContext } from "../instance";

/** Attributes that only set the initial state of a native control; the property is what is displayed. */
const PROPERTIES = new Map([
  ["checked", ["input"]],
  ["indeterminate", ["input"]],
  ["value", ["input"]],
  ["selected", ["option"]],
  ["muted", ["audio", "video"]],
]);

/** Attr sets or removes an attribute. */
export class Attr extends Plain {
  protected override apply(element: Element, raw: unknown): void {
    const value = scalarOf(raw);
    const on = value !== null && value !== false;
    if (on) element.setAttribute(this.name, String(value));
    else element.removeAttribute(this.name);
    if (PROPERTIES.get(this.name)?.includes(element.localName)) {
      Reflect.set(element, this.name, this.name === "value" ? (on ? String(value) : "") : on);
    }
  }
}

/** Class turns one class on and off. */
export class Class extends Plain {
  protected override apply(element: Element, raw: unknown): void {
    element.classList.toggle(this.name, raw !== null && raw !== undefined && raw !== false);
  }
}

/** Style sets or removes one style property. */
export class Style extends Plain {
  protected override apply(element: Element, raw: unknown): void {
    const value = scalarOf(raw);
    const { style } = element as HTMLElement;
    if (value === null || value === false) style.removeProperty(this.name);
    else style.setProperty(this.name, String(value));
  }
}

/** Content shows a value as text. */
export class Content extends Plain {
  protected override apply(element: Element, raw: unknown): void {
    const value = scalarOf(raw);
    writeContent(element, value === null ? "" : String(value));
  }
}

/** Classes is the whole class attribute. It only touches its own names, not those of other bindings. */
export class Classes extends Stateful {
  protected override make(_: PageContext, __: Instance, { classList }: Element): Part {
    let own: string[] = [];
    return {
      set: (raw) => {
        const next = words(textOf(raw)).filter((name) => own.includes(name) || !classList.contains(name));
        classList.remove(...own);
        classList.add(...next);
        own = next;
      },
      dispose: () => classList.remove(...own),
    };
  }
}

/** Styles is the whole style attribute. It only touches its own properties. */
export class Styles extends Stateful {
  protected override make(_: PageContext, __: Instance, target: Element): Part {
    const { style } = target as HTMLElement;
    let own: string | null = null;
    return {
      set: (raw) => {
        const next = textOf(raw);
        restyle(style, own, next);
        own = next;
      },
      dispose: () => restyle(style, own, null),
    };
  }
}

function textOf(raw: unknown): string | null {
  const value = scalarOf(raw);
  return typeof value === "string" ? value : null;
}
