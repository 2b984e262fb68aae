// Helpers that create elements.

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}

export function button(className: string, text: string, press: () => void, label = ""): HTMLButtonElement {
  const element = make("button", className, text);
  element.type = "button";
  if (label !== "") {
    element.setAttribute("aria-label", label);
    element.title = label;
  }
  element.addEventListener("click", press);
  return element;
}
