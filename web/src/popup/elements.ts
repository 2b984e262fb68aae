// Helpers that create elements and icons.

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}

/** button returns a button. title says more than its text, or is its name if it has none. */
export function button(className: string, text: string, press: () => void, title = ""): HTMLButtonElement {
  const element = make("button", className, text);
  element.type = "button";
  if (title !== "") element.title = title;
  if (title !== "" && text === "") element.setAttribute("aria-label", title);
  element.addEventListener("click", press);
  return element;
}

/** icon returns an icon, drawn by a path in a square of 24 units. */
export function icon(path: string): string {
  return `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`;
}
