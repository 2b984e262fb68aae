// The picture of an element that follows the finger that drags it.

const MANY = 200; // elements, from which on the picture is an empty box

/** pictureOf shows a picture of an element in front of the page and the element. It takes no part in anything else. */
export function pictureOf(element: Element): HTMLElement {
  const originals = withDescendants(element);
  const picture = element.cloneNode(originals.length < MANY) as HTMLElement;
  withDescendants(picture).forEach((copy, i) => {
    const style = getComputedStyle(originals[i] as Element);
    copy.style.cssText = [...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(";") + ";pointer-events:none";
    if (copy.matches("iframe, video, audio, ui-terminal")) copy.remove(); // it would load or connect again
  });
  picture.style.margin = "0";
  const { left, top } = element.getBoundingClientRect();
  const host = document.createElement("div");
  host.inert = true;
  host.popover = "manual"; // in front of dialogs, too
  host.style.cssText = `all:initial;display:block;position:fixed;z-index:9999;left:${left}px;top:${top}px;opacity:.8;pointer-events:none`;
  // In a tree of its own, the picture is in no group of choices, and scripts do not find it.
  host.attachShadow({ mode: "open" }).append(picture);
  document.body.append(host);
  host.showPopover?.(); // not in old browsers
  return host;
}

function withDescendants(element: Element): HTMLElement[] {
  return [element, ...element.querySelectorAll("*")] as HTMLElement[];
}
