// Pages of a program that takes pictures of them, and sends nothing.

/** observed is whether this page is such a one: the program has said so before any script ran. */
export const observed = "uiObserved" in window;

/** number gives the elements of a template their numbers, in the order of the document. */
export function number(content: DocumentFragment): void {
  let n = 0;
  for (const element of content.querySelectorAll("*")) element.setAttribute("data-ui-at", String(n++));
}

/** name marks the first elements of an instance. */
export function name(roots: readonly Node[], instance: number): void {
  for (const root of roots) if (root instanceof Element) root.setAttribute("data-ui-in", String(instance));
}

/** ran notes that JavaScript of a template runs. */
export function ran(): void {
  if (observed) document.documentElement.toggleAttribute("data-ui-ran", true);
}
