// Builds elements of the page.

import { arrange, keep, make as h, setText, type Child } from "../elements";

export { arrange, h, keep, setText, type Child };

/** on listens to an event of an element, and returns the element. */
export function on<E extends HTMLElement, K extends keyof HTMLElementEventMap>(element: E, type: K, listener: (event: HTMLElementEventMap[K]) => void): E {
  element.addEventListener(type, listener);
  return element;
}

const PATHS = {
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  right: "M2.5 3.5h11v9h-11zM8 3.5v9",
  down: "M2.5 3.5h11v9h-11zM2.5 8h11",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  search: "M7 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zM10.5 10.5l3 3",
  settings: "M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3v4M5.5 9v4",
  command: "M3 4.5l3.5 3.5L3 11.5M8.5 11.5H13",
  check: "M3 8.5l3 3 7-7",
  fit: "M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10",
  play: "M5 3v10l8-5z",
  pause: "M5.5 3v10M10.5 3v10",
  download: "M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10",
  remove: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.7 9h5.6l.7-9",
  share: "M6.5 9.5l3-3M7 4.5l1.4-1.4a2.5 2.5 0 0 1 3.5 3.5L10.5 8M9 11.5l-1.4 1.4a2.5 2.5 0 0 1-3.5-3.5L5.5 8",
} as const;

/** icon returns a drawing, which screen readers skip. */
export function icon(name: keyof typeof PATHS): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** tool returns a button with an icon. Its label is what it does; keys are those that do the same. */
export function tool(name: keyof typeof PATHS, label: string, run: () => void, keys?: string): HTMLButtonElement {
  const button = h("button", { type: "button", class: "tool", "aria-label": label, title: keys === undefined ? label : `${label} (${keys})` }, icon(name));
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    run();
  });
  return button;
}
