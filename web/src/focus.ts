// Where the keyboard focus of a page is. The dialog of a question takes it for a while, which is
// no reason for what the person was doing to end: fields stay theirs.

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Borrower is <ui-popup>. While it has the focus, returnsTo is what gets the focus afterwards. */
interface Borrower extends Element {
  returnsTo: Element | null;
}

function borrower(): Borrower | undefined {
  const { activeElement } = document;
  return activeElement !== null && "returnsTo" in activeElement ? (activeElement as Borrower) : undefined;
}

/** here reports whether the person is at this page. */
export function here(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

/** focused returns the element of the page that has the focus, or gets it back from a question. */
export function focused(): Element | null {
  const by = borrower();
  return by === undefined ? document.activeElement : by.returnsTo;
}

/** moveFocus gives an element the focus, at once or when a question returns it. */
export function moveFocus(element: HTMLElement | SVGElement): void {
  const by = borrower();
  if (by === undefined) element.focus({ preventScroll: true });
  else by.returnsTo = element;
}

/** dropFocus takes the focus from the element that has it, or gets it back from a question. */
export function dropFocus(element: HTMLElement): void {
  const by = borrower();
  if (by?.returnsTo === element) by.returnsTo = null;
  else element.blur();
}

/** textIn returns the text field in an element: the element itself, or the one in a component. */
export function textIn(element: Element): TextField | undefined {
  const inner = element.shadowRoot?.activeElement ?? element.shadowRoot?.querySelector("input, textarea") ?? element;
  return inner instanceof HTMLInputElement || inner instanceof HTMLTextAreaElement ? inner : undefined;
}

const RAISES = 5; // for which another modal may take the place of ours within a second, to end a fight

/**
 * stayOnTop opens a modal dialog again when the page opens another above it, which makes ours inert.
 * That one takes the focus: nothing else outside of ours can. host is the element in the document
 * that has the dialog. raised is called with what has got the focus.
 */
export function stayOnTop(dialog: HTMLDialogElement, host: Element, raised: (focused: Element) => void): void {
  let raises: number[] = [];
  let raising = false;
  document.addEventListener("focusin", (event) => {
    const { target } = event;
    if (raising || !(target instanceof Element) || event.composedPath().includes(host) || !dialog.matches(":modal")) return;
    const now = performance.now();
    raises = [...raises.filter((at) => now - at < 1000), now];
    if (raises.length > RAISES) return;
    raising = true;
    dialog.close();
    dialog.showModal();
    raising = false;
    raised(target);
  });
}

/**
 * closeModal closes a modal dialog, and returns the focus. By themselves, browsers return it to what
 * had it before, also if that shows something else now, and put the caret at the start of a field
 * whose text has changed meanwhile.
 */
export function closeModal(dialog: HTMLDialogElement, to: Element | null): void {
  const text = to === null ? undefined : textIn(to);
  const { selectionStart: start = null, selectionEnd: end = null, selectionDirection: direction = null } = text ?? {};
  dialog.close();
  const { activeElement } = document;
  if (to === null) {
    if (activeElement instanceof HTMLElement) activeElement.blur();
  } else if (to !== activeElement && (to instanceof HTMLElement || to instanceof SVGElement)) {
    to.focus({ preventScroll: true });
  }
  if (start !== null && end !== null) text?.setSelectionRange(start, end, direction ?? "none");
}
