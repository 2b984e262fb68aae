// What an agent does to the page in place of the person: the events are those that the person's own
// input would cause, so that bindings, components and scripts behave the same. The focus and the
// caret stay where they are.

import { isTextField } from "../textfield";
import type { Act, Acted } from "../wire";
import { controlOf, isEdited } from "./control";
import type { Drafts, DraftsParts } from "./drafts";
import { isButton, isDisabled, isToggle, submitOf } from "./implicit";
import { keyEvent, type KeyName } from "./keys";

interface ActParts extends Omit<DraftsParts, "session"> {
  readonly drafts: Drafts;
  readonly send: (answer: Acted) => void;
}

/** HOLDS is the reason not to act that a control is already as the act would make it. */
const HOLDS = "holds";

const TYPES = "the person is typing in it, or in its form";
const UNSENT = "the person has typed something into it, and has not sent it yet";

/** Acts carries out acts, one after another, and answers each when the server knows what it has caused. */
export class Acts {
  readonly #parts: ActParts;
  #running: number | undefined;
  #done: number[] = []; // acts whose events the server has not acknowledged

  constructor(parts: ActParts) {
    this.#parts = parts;
  }

  /** running is the act that causes what is sent now. */
  get running(): number | undefined {
    return this.#running;
  }

  perform(act: Act): void {
    this.#running = act.id;
    try {
      this.#perform(act);
    } catch (error) {
      // A component or a script that has replaced a method of an element has thrown it.
      this.#ended(act.id);
      this.#parts.send({ type: "acted", id: act.id, thrown: String(error) });
    }
  }

  #ended(id: number): void {
    if (this.#running === id) this.#running = undefined;
  }

  #perform(act: Act): void {
    this.#parts.editors.typing.foreign();
    const element = this.#parts.page.at(...act.at);
    const refused = element === undefined ? "it is not in the page" : this.#refusal(element, act) ?? this.#act(element, act);
    if (element === undefined || refused !== undefined) {
      this.#ended(act.id);
      return this.#parts.send({ type: "acted", id: act.id, ...(refused === HOLDS ? { holds: true } : refused !== undefined && { refused }) });
    }
    highlight(element);
    void this.#finish(act.id, element);
  }

  /** settled is called after each acknowledgement. */
  settled(): void {
    if (this.#parts.outbox.pending > 0) return;
    const done = this.#done;
    this.#done = [];
    for (const id of done) this.#parts.send({ type: "acted", id });
  }

  /** lost is called when the connection ends: the server does not wait any more. */
  lost(): void {
    this.#done = [];
  }

  /** finish answers once components and scripts have reacted. */
  async #finish(id: number, element: Element): Promise<void> {
    try {
      await Reflect.get(element, "updateComplete");
    } catch {
      // The component has reported its error.
    }
    setTimeout(() => {
      this.#ended(id);
      this.#done.push(id);
      this.settled();
    });
  }

  /** refusal returns why the person could not do this now, or would not want it done. */
  #refusal(element: Element, act: Act): string | undefined {
    if (!element.isConnected) return "it is not in the page";
    if (!element.checkVisibility({ visibilityProperty: true })) return "it is hidden in the page";
    if (element.closest("[inert]") !== null) return "it is in a part of the page that is inert";
    if (isDisabled(element)) return "it is disabled in the page";
    if (isCovered(element)) return "an open dialog covers it";
    const { editors, drafts } = this.#parts;
    const { typing } = editors;
    if (act.do === "click" || act.do === "key") return typing.touches(element) ? TYPES : undefined;
    if (element === typing.element) return TYPES;
    const unsent = editors.of(element)?.field.edited ?? (isTextField(element) && drafts.has(element));
    return unsent ? UNSENT : undefined;
  }

  /** act carries out an act. It returns why nothing was done, if so. */
  #act(element: Element, act: Act): string | undefined {
    return quietly(() => {
      switch (act.do) {
        case "click":
          return click(element);
        case "check":
          return (Reflect.get(element, "checked") === true) === act.on ? HOLDS : click(element);
        case "fill":
          return fill(element, act.text);
        case "select":
          return select(element, act.options);
        case "key":
          return press(element, keyEvent(act.key));
      }
    });
  }
}

function fill(element: Element, text: string): string | undefined {
  if (!isEdited(element)) return "there is nothing to fill";
  const field = innerField(element) ?? element;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const before = field.value;
    if (before === text) return HOLDS;
    controlOf(field)?.write(field, text);
    if (field.value !== text && field.type !== "number" && field.type !== "range") {
      field.value = before;
      return "it does not take this text";
    }
    field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertReplacementText", data: text }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return undefined;
  }
  controlOf(element)?.write(element, text);
  return changed(element, "sl-input", "sl-change");
}

/** quietly keeps the focus where it is, and the browser from showing what is wrong with a form. */
function quietly(act: () => string | undefined): string | undefined {
  const focused = document.activeElement;
  let wrong: string | undefined;
  const invalid = (event: Event): void => {
    event.preventDefault();
    const { target } = event;
    wrong ??= `the form was not sent: ${target instanceof HTMLInputElement ? target.validationMessage : "a field is not valid"}`;
  };
  document.addEventListener("invalid", invalid, { capture: true });
  document.addEventListener("sl-invalid", invalid, { capture: true });
  try {
    return act() ?? wrong;
  } finally {
    document.removeEventListener("invalid", invalid, { capture: true });
    document.removeEventListener("sl-invalid", invalid, { capture: true });
    if (document.activeElement !== focused && focused instanceof HTMLElement && focused.isConnected && focused !== document.body) {
      focused.focus({ preventScroll: true });
    }
  }
}

function click(element: Element): string | undefined {
  if (!(element instanceof HTMLElement)) {
    element.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
    return undefined;
  }
  let followed = false;
  // The page must not be left.
  const guard = (event: Event): void => {
    followed = !event.defaultPrevented && event.composedPath().some((e) => e instanceof HTMLAnchorElement && e.href !== "");
    if (followed) event.preventDefault();
  };
  window.addEventListener("click", guard);
  try {
    element.click();
  } finally {
    window.removeEventListener("click", guard);
  }
  return followed ? "it is a link: following it is the person's" : undefined;
}

function select(element: Element, options: readonly string[]): string | undefined {
  if (element instanceof HTMLSelectElement) {
    const wanted = new Set(options);
    const available = new Set(Array.from(element.options, (o) => o.value));
    if (options.some((o) => !available.has(o))) return "it does not have this option in the page";
    for (const option of element.options) option.selected = wanted.has(option.value);
    return changed(element, "input", "change");
  }
  const control = controlOf(element);
  control?.write(element, element.localName === "sl-select" && element.hasAttribute("multiple") ? options : (options[0] ?? ""));
  return element.localName === "sl-radio-group" ? changed(element, "sl-change", "sl-input") : changed(element, "sl-input", "sl-change");
}

function changed(element: Element, ...types: readonly string[]): undefined {
  for (const type of types) {
    const init = { bubbles: true, composed: type.startsWith("sl-") };
    element.dispatchEvent(type.startsWith("sl-") ? new CustomEvent(type, { ...init, detail: {} }) : new Event(type, init));
  }
  return undefined;
}

/** press presses and releases a key, and does what browsers do for keys that scripts cannot press. */
function press(element: Element, key: KeyName | undefined): string | undefined {
  if (key === undefined) return "there is no such key";
  const target = innerField(element) ?? element;
  const init = { ...key, bubbles: true, composed: true, cancelable: true };
  const goesOn = target.dispatchEvent(new KeyboardEvent("keydown", init));
  let refused: string | undefined;
  if (goesOn && !key.ctrlKey && !key.altKey && !key.metaKey && !key.shiftKey) refused = react(element, key.key);
  if (target.isConnected) target.dispatchEvent(new KeyboardEvent("keyup", init));
  return refused;
}

function react(element: Element, key: string): string | undefined {
  const pressed = isButton(element) || element.localName === "summary" || (element instanceof HTMLInputElement && /^(button|submit|reset|image)$/.test(element.type));
  if ((key === "Enter" && pressed) || (key === " " && (pressed || isToggle(element)))) return click(element);
  if (key !== "Enter" || !(element instanceof HTMLInputElement) || element.form === null) return undefined;
  const { form } = element;
  const button = submitOf(form);
  if (button !== undefined) return isDisabled(button) ? undefined : click(button);
  const fields = Array.from(form.elements).filter((e) => e instanceof HTMLInputElement && isTextField(e));
  if (fields.length <= 1) form.requestSubmit();
  return undefined;
}

/** innerField returns the field within a component, whose events the component turns into its own. */
function innerField(element: Element): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (!/^sl-(input|textarea|range)$/.test(element.localName)) return undefined;
  return element.shadowRoot?.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? undefined;
}

/** isCovered reports whether a modal dialog lies over an element. */
function isCovered(element: Element): boolean {
  const open = modals(document).filter(isShown);
  const around = open.filter((dialog) => dialog.contains(element));
  return open.some((dialog) => !around.includes(dialog) && (around.length === 0 || around.some((a) => a.contains(dialog))));
}

/** isShown reports whether a dialog is visible. A component has no box: what is in it has one. */
function isShown(dialog: Element): boolean {
  const box = dialog.shadowRoot?.querySelector("[part~=base]") ?? dialog;
  return box.checkVisibility({ visibilityProperty: true });
}

/** modals returns the modal dialogs of a document, with that of a question. */
function modals(document: Document): Element[] {
  const found = [...document.querySelectorAll("dialog:modal, sl-dialog[open], sl-drawer[open]")];
  for (const { shadowRoot } of document.body.children) {
    if (shadowRoot !== null) found.push(...shadowRoot.querySelectorAll("dialog:modal"));
  }
  return found;
}

const HIGHLIGHT_MS = 900;

/** highlight shows the person what the agent has acted on. */
function highlight(element: Element): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  element.animate(
    [
      { outline: "3px solid #3b82f6", outlineOffset: "2px" },
      { outline: "3px solid transparent", outlineOffset: "2px" },
    ],
    { duration: HIGHLIGHT_MS, easing: "ease-in" },
  );
}
