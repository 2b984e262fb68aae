// The bar of a view: one row of buttons for the person, and above it what there is to say.

import { button as plain, make } from "../elements";
import { EXPAND, KEYBOARD, LEAVE, SHRINK } from "./icons";

export interface BarEvents {
  /** open opens the page in the browser. */
  open(url: string): void;
  fullscreen(): void;
  /** type asks whether this frame may type. */
  type(): void;
  retry(): void;
}

/** Bar has the buttons and the notes. */
export class Bar {
  readonly element = make("div", "ui-chat-bar");
  /** tools is the row of buttons. It is in the element, or where a question has its own buttons. */
  readonly tools = make("div", "ui-chat-tools");
  readonly #note = make("p", { role: "status" });
  readonly #title = make("span", "ui-chat-title");
  readonly #open: HTMLButtonElement;
  readonly #fullscreen: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly #type: HTMLButtonElement;
  readonly #address = make("input", { readonly: true, "aria-label": "Address for your browser" });
  #url = "";
  #offers = false; // the note is about an address that the host has not opened

  constructor(events: BarEvents) {
    this.#retry = button("Try again", "", events.retry);
    this.#type = button("Type here", KEYBOARD, events.type);
    this.#fullscreen = button("Full screen", EXPAND, events.fullscreen);
    this.#open = button("Open in browser", LEAVE, () => events.open(this.#url));
    this.#type.classList.add("ui-chat-type");
    this.#fullscreen.classList.add("ui-chat-full");
    for (const e of [this.#open, this.#fullscreen, this.#retry, this.#type, this.#address]) e.hidden = true;
    this.tools.append(this.#title, this.#type, this.#fullscreen, this.#open);
    this.element.append(this.#note, this.#retry, this.#address, this.tools);
  }

  /** page is the address of the page in the browser, or "" if none is served. */
  get page(): string {
    return this.#url;
  }

  /** address sets the URL of the page in the browser, or "" if no page is served. */
  address(url: string): void {
    if (this.#address.value === this.#url) this.#offer(url, !this.#address.hidden);
    this.#url = url;
    this.#open.hidden = url === "";
  }

  /** reveal shows the address of the page as text, for hosts that open nothing. */
  reveal(): void {
    this.#offer(this.#url, true);
  }

  /** offer shows an address to be copied, and says why it is not opened. */
  offer(url: string, why: string): void {
    this.say(why);
    this.#offers = true;
    this.#offer(url, true);
    this.#address.focus();
    this.#address.select();
  }

  /** opened removes what offer has displayed. */
  opened(): void {
    if (this.#offers) this.say("");
  }

  /** title names what is displayed, where that does not do so itself. */
  title(text: string): void {
    this.#title.textContent = text;
  }

  /** modes sets whether the view can switch to the size of the window, or back. */
  modes(canChange: boolean, full: boolean): void {
    this.#fullscreen.hidden = !canChange;
    relabel(this.#fullscreen, full ? "Back to the chat" : "Full screen", full ? SHRINK : EXPAND);
  }

  /** typing sets whether the person may ask to type. */
  typing(offered: boolean): void {
    this.#type.hidden = !offered;
  }

  /** say displays a note; "" removes it, and an address with it. retry offers another attempt. */
  say(text: string, retry = false): void {
    const focused = document.activeElement === this.#retry;
    this.#offers = false;
    this.#note.textContent = text;
    this.#retry.hidden = !retry;
    if (text === "") this.#offer(this.#url, false);
    // The focus goes on to what stays: from nowhere, keys would not reach the question below.
    if (focused && !retry) this.tools.querySelector<HTMLElement>("button:not([hidden])")?.focus();
  }

  #offer(url: string, visible: boolean): void {
    this.#address.value = url;
    this.#address.hidden = !visible || url === "";
  }
}

/** button returns a button with an icon, or without one, with a text. */
function button(label: string, icon: string, click: () => void): HTMLButtonElement {
  const b = plain("", icon === "" ? label : "", click);
  if (icon !== "") relabel(b, label, icon);
  return b;
}

function relabel(b: HTMLButtonElement, label: string, icon: string): void {
  if (b.textContent === label) return;
  b.innerHTML = icon;
  b.append(make("span", "", label));
  b.title = label;
}
