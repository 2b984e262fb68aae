// Edits that could not be delivered, offered back to the person, and uploads.

import type { Reason } from "../data/outbox";
import type { Value } from "../data/value";
import { adopt, button, copyTo, make } from "../elements";
import type { Place } from "./place";
import { STYLE } from "./unsaved.style";

/** Kept is what another page can offer. */
export interface Kept {
  readonly label: string; // of the control; "" when it has none
  readonly value: Value;
  readonly reason: Reason;
  readonly place: Place | undefined; // undefined: it cannot be put back
}

/** Unsaved is one edit that could not be delivered. */
export interface Unsaved extends Kept {
  readonly secret: boolean; // a password: it is not displayed
  readonly origin: object; // the control that the edit was made in
  /** find returns the control that the edit can be put back into, if it is displayed. */
  readonly find: () => Element | undefined;
}

const TITLES: Partial<Readonly<Record<Reason, string>>> = { replaced: "Replaced", unconfirmed: "Perhaps not saved" };

const WHY: Readonly<Record<Reason, string>> = {
  gone: "The app has changed what is shown here.", // what was edited may be back, or be another kind of control
  failed: "The app did not accept it.",
  large: "It is too large to send.",
  file: "The file is too large: at most 1 MiB can be sent.",
  replaced: "It was changed elsewhere while you typed. What you typed has replaced this.",
  closed: "The page was closed or loaded again before it was sent.",
  unreadable: "The browser could not read the file.",
  unconfirmed: "The connection broke before the app confirmed it.",
};

/**
 * UnsavedList shows unsaved edits until the person dismisses them or puts them back, and cards of
 * others.
 */
export class UnsavedList {
  readonly #host = make("div", "ui-unsaved");
  readonly #list = make("ol");
  readonly #section = make("section", { "aria-label": "Not saved", hidden: true }, this.#list);
  readonly #status = make("div", { class: "sr", role: "status" });
  readonly #resizes = new ResizeObserver(() => this.#measure());
  readonly #write: (element: Element, value: Value) => boolean;
  #cards: { readonly edit: Unsaved; readonly element: HTMLElement; readonly back: HTMLElement }[] = [];

  /** write puts a value into a control, as if the person had entered it. It reports whether it fits. */
  constructor(write: (element: Element, value: Value) => boolean) {
    this.#write = write;
    const root = this.#host.attachShadow({ mode: "open" });
    adopt(root, STYLE);
    root.append(this.#status, this.#section);
    document.body.append(this.#host);
    this.#resizes.observe(this.#section);
  }

  /** dispose removes the list. */
  dispose(): void {
    this.#resizes.disconnect();
    this.#host.remove();
    document.documentElement.style.removeProperty("--ui-unsaved");
  }

  /** measure publishes how high the list is, so that other notices are displayed above it. */
  #measure(): void {
    const { style } = document.documentElement;
    const height = this.#section.offsetHeight;
    if (height === 0) style.removeProperty("--ui-unsaved");
    else style.setProperty("--ui-unsaved", `${height + 8}px`);
  }

  add(edit: Unsaved): void {
    const text = textOf(edit.value);
    // The person has tried again, with the same result.
    const again = ({ origin, place, value }: Unsaved): boolean =>
      origin === edit.origin && place?.object === edit.place?.object && textOf(value) === text;
    if (this.#cards.some((card) => again(card.edit))) return;
    const what = TITLES[edit.reason] ?? "Not saved";
    const title = make("h2", "", edit.label === "" ? what : `${what}: ${edit.label}`);
    const content = edit.secret ? "•".repeat(8) : text === "" ? "(empty)" : excerpt(text, 2000);
    const copy = button("", "Copy", () => void copyTo(copy, text));
    const back = button("", "Put back", () => {
      const control = edit.find();
      if (control === undefined) return this.update();
      if (!this.#write(control, edit.value)) {
        back.textContent = "It does not fit there";
        return;
      }
      this.remove(element);
      if (control instanceof HTMLElement) control.focus();
    });
    const actions = make("div", "actions", copy, back, button("dismiss", "Dismiss", () => this.remove(element)));
    const element = make("li", {}, title, make("p", "why", WHY[edit.reason]), make("pre", "text", content), actions);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation(); // the app must not react
      this.remove(element);
    });
    this.#cards.push({ edit, element, back });
    this.post(element, `${title.textContent}. ${edit.secret ? "" : excerpt(text, 200)}`);
    this.update();
  }

  /** post shows a card, and says a text. */
  post(element: HTMLElement, text = ""): void {
    if (!element.isConnected) this.#list.append(element);
    this.#section.hidden = false;
    if (text !== "") this.#status.textContent = text;
  }

  /** update shows which edits can be put back now. */
  update(): void {
    for (const { edit, back } of this.#cards) back.hidden = edit.find() === undefined;
  }

  /** kept returns what the list offers, for another page. Passwords stay here. */
  kept(): Kept[] {
    return this.#cards.flatMap(({ edit: { label, value, reason, place, secret } }) => (secret ? [] : [{ label, value, reason, place }]));
  }

  /** remove removes a card, and says a text. */
  remove(element: HTMLElement, text = ""): void {
    if (text !== "") this.#status.textContent = text;
    const next = element.nextElementSibling ?? element.previousElementSibling;
    const focused = element.matches(":focus-within");
    element.remove();
    this.#cards = this.#cards.filter((card) => card.element !== element);
    this.#section.hidden = this.#list.childElementCount === 0;
    if (focused) next?.querySelector("button")?.focus();
  }
}

function textOf(value: Value): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join("\n") : value === null ? "" : String(value);
}

/** excerpt shortens a long text, which would take the browser long to lay out. */
function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}… (${text.length.toLocaleString()} characters)`;
}
