// Dialogs: a form with fields, whose errors appear in it.

import { complain } from "./api";
import { type Child, h, on } from "./html";

/** Milliseconds between two requests for what open dialogs display. */
const REFRESH = 1000;

let serial = 0;
const drawn = new Set<() => void>(); // by open dialogs

/** field returns a control with its label, and a hint below. */
export function field(label: string, control: HTMLInputElement | HTMLSelectElement, hint?: string): HTMLElement {
  control.id ||= `field-${++serial}`;
  const note = hint === undefined ? undefined : h("p", { class: "hint", id: `${control.id}-hint` }, hint);
  if (note !== undefined) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note);
}

/** check returns a checkbox with its label. */
export function check(label: string, checked: boolean, change: (checked: boolean) => void): HTMLElement {
  const box = h("input", { type: "checkbox", id: `field-${++serial}` });
  box.checked = checked;
  on(box, "change", () => change(box.checked));
  return h("div", { class: "check" }, box, h("label", { for: box.id }, label));
}

/** select returns a control with choices, each a value and its label. */
export function select(choices: readonly (readonly [value: string, label: string])[], value: string, change?: (value: string) => void): HTMLSelectElement {
  const control = h("select", {}, ...choices.map(([v, label]) => h("option", { value: v, selected: v === value }, label)));
  if (change !== undefined) on(control, "change", () => change(control.value));
  return control;
}

/** text returns a field for one line without the keyboard's help, which changes names and commands. */
export function text(value = "", more: Readonly<Record<string, string>> = {}): HTMLInputElement {
  const control = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...more });
  control.value = value;
  return control;
}

/** attempt carries out a task, and says why it fails. It says "" before. */
export async function attempt(task: () => Promise<void>, say: (why: string) => void): Promise<void> {
  try {
    say("");
    await task();
  } catch (error) {
    say(complain(error));
  }
}

/** problem returns a line for what is wrong, and a function that says it there. */
export function problem(): { readonly element: HTMLElement; readonly say: (why: string) => void } {
  const element = h("p", { class: "error", role: "alert", hidden: true });
  const say = (why: string): void => {
    element.textContent = why;
    element.hidden = why === "";
  };
  return { element, say };
}

/** A Form is what a dialog asks for. */
export interface Form {
  readonly title: string;
  readonly content: readonly Child[];
  /** The label of the button that submits; left out: the form has no such button. */
  readonly submit?: string;
  readonly danger?: boolean;
  /**
   * Does what the form asks for. The dialog stays, with the message, if it fails. The function that
   * it may return runs when the dialog is closed, so that it can move the focus.
   */
  readonly run?: () => Promise<(() => void) | void> | void;
  readonly wide?: boolean;
  /** Brings the content up to date: at once, and by drawDialogs. */
  readonly draw?: () => void;
  /** Asks the server for what draw displays: at once, and each second. */
  readonly refresh?: () => void;
}

/** drawDialogs brings the open dialogs up to date. */
export function drawDialogs(): void {
  for (const draw of drawn) draw();
}

/** openDialog opens a form. */
export function openDialog({ title, content, submit, danger, run, wide, draw, refresh }: Form): void {
  const heading = h("h2", { id: `dialog-${++serial}` }, title);
  const error = problem();
  const cancel = h("button", { type: "button" }, submit === undefined ? "Close" : "Cancel");
  const button = submit === undefined ? undefined : h("button", { type: "submit", class: danger === true ? "danger" : "primary" }, submit);
  const form = h("form", { method: "dialog" }, heading, ...content, error.element, h("div", { class: "buttons" }, cancel, button));
  const dialog = h("dialog", { class: wide === true ? "form wide" : "form", "aria-labelledby": heading.id }, form);
  const before = document.activeElement;
  const close = (): void => dialog.close();
  on(cancel, "click", close);
  const timer = refresh && setInterval(refresh, REFRESH);
  if (draw !== undefined) drawn.add(draw);
  draw?.(); // so that the first button gets the focus
  on(dialog, "close", () => {
    dialog.remove();
    clearInterval(timer);
    if (draw !== undefined) drawn.delete(draw);
    if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body) before.focus();
  });
  on(form, "submit", (event) => {
    event.preventDefault();
    if (button?.disabled !== false) return;
    button.disabled = true;
    void attempt(async () => {
      const then = await run?.();
      if (!dialog.open) return; // the person has cancelled, and does something else
      close();
      then?.();
    }, (why) => {
      error.say(why);
      if (why !== "") form.querySelector<HTMLElement>("input, select")?.focus();
    }).finally(() => (button.disabled = false));
  });
  document.body.append(dialog);
  dialog.showModal();
  // Enter must not press a dangerous button.
  (danger === true ? cancel : (form.querySelector<HTMLElement>("input, select") ?? cancel)).focus();
  refresh?.();
}
