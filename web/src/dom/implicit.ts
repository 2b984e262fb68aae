// Enter in a field clicks the button that sends its form. Browsers do that where field and button
// are their own; components send the form without a click on its button, and browsers do not take
// a component for a button.

/** enterSubmits clicks these buttons, until signal is aborted. */
export function enterSubmits(document: Document, signal: AbortSignal): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, isComposing, defaultPrevented } = event;
    if (key !== "Enter" || isComposing || defaultPrevented || event.ctrlKey || event.shiftKey || event.altKey || event.metaKey) return;
    const component = target instanceof Element && target.localName === "sl-input";
    if (!component && !(target instanceof HTMLInputElement && !UNSENT.has(target.type))) return;
    const form = target instanceof HTMLInputElement ? target.form : target.closest("form");
    const button = form === null ? undefined : submitOf(form);
    if (button === undefined || (!component && !isComponent(button))) return; // the browser does it
    event.preventDefault();
    if (button instanceof HTMLElement && !isDisabled(button)) button.click();
  }, { signal });
}

/** The types of fields in which Enter does something else. */
const UNSENT = new Set(["button", "submit", "image", "reset", "file", "color"]);

/** submitOf returns the button that Enter in a form clicks: the first that sends it. */
export function submitOf(form: HTMLFormElement): Element | undefined {
  const { ownerDocument: document } = form; // the form's elements leave out images
  const own = Array.from(document.querySelectorAll<HTMLButtonElement | HTMLInputElement>("button, input")).find((e) => e.form === form && isSubmit(e));
  const other = form.querySelector('sl-button[type="submit"]') ?? undefined;
  if (own === undefined || other === undefined) return own ?? other;
  return own.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? own : other;
}

/** isSubmit reports whether a button sends its form. */
export function isSubmit(element: Element): boolean {
  return (
    (element instanceof HTMLButtonElement && element.type === "submit") ||
    (element instanceof HTMLInputElement && (element.type === "submit" || element.type === "image"))
  );
}

/** isButton reports whether an element is a button, of the browser or a component. */
export function isButton(element: Element): boolean {
  return /^(button|sl-button|sl-icon-button)$/.test(element.localName);
}

/** isToggle reports whether a click switches a control on or off. */
export function isToggle(element: Element): boolean {
  return /^sl-(checkbox|switch)$/.test(element.localName) || (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type));
}

function isComponent(element: Element): boolean {
  return element.localName.startsWith("sl-");
}

/** isDisabled reports whether a person cannot use a control. */
export function isDisabled(element: Element): boolean {
  return element.matches(":disabled") || (isComponent(element) && Reflect.get(element, "disabled") === true);
}
