// Bindings that direct the person to their element when their value changes.

import { onChange, Stateful, type Instance, type Part, type PageContext } from "../instance";

/** Attention acts whenever its value changes to one that is true in Lua, after the batch's DOM changes. */
abstract class Attention extends Stateful {
  protected abstract attract(page: PageContext, element: Element): void | Promise<void>;

  protected override make(page: PageContext, instance: Instance, element: Element): Part {
    return onChange((value) => {
      if (value === null || value === false) return;
      page.afterBatch(`${instance.template.key}, slot ${this.slot}`, () => {
        if (instance.live) void this.attract(page, element);
      });
    });
  }
}

/** Scroll scrolls its element into view. */
export class Scroll extends Attention {
  protected override attract(_: PageContext, element: Element): void {
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/**
 * Focus focuses its element. It takes the focus neither from a control in which the person types,
 * nor from the page around this one: in a chat, that may be where they write a message.
 */
export class Focus extends Attention {
  protected override async attract(page: PageContext, element: Element): Promise<void> {
    await rendered(element);
    if (page.around.editors.typing.element !== undefined || (window.parent !== window && !document.hasFocus())) return;
    if (element instanceof HTMLElement || element instanceof SVGElement) element.focus();
  }
}

/** rendered waits until a custom element can be focused. */
export async function rendered(element: Element): Promise<void> {
  if (!element.localName.includes("-")) return;
  await customElements.whenDefined(element.localName);
  await (element as { updateComplete?: Promise<unknown> }).updateComplete;
}
