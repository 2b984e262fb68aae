// Questions in a view: the same dialog as in a page.

import { PopupElement } from "../popup/element";
import type { Mode } from "../popup/link";
import type { Surface, Wanted } from "../popup/surface";
import { decode, type State } from "../popup/wire";

const CLOSED = "This question is closed.";

/** Parts are the bar of the view: the whole of it, and its row of buttons. */
export interface Parts {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
}

/** Questions displays the questions that the server sends to this view. */
export class Questions {
  readonly #parent: HTMLElement;
  readonly #bar: Parts;
  readonly #send: (text: string) => boolean;
  readonly #say: (text: string) => void;
  #element: PopupElement | undefined;
  #state: State | undefined; // the last one
  #full = false;
  #open = false; // there was a question
  #only: string | undefined; // the question that the view is for; "": none; undefined: not known, or any

  /**
   * bar is at the top of parent, and while a question is displayed, in its dialog: nothing else takes
   * clicks then. say displays a note to the person.
   */
  constructor(parent: HTMLElement, bar: Parts, send: (text: string) => boolean, say: (text: string) => void) {
    this.#parent = parent;
    this.#bar = bar;
    bar.element.slot = "notes";
    bar.tools.slot = "tools";
    this.#send = send;
    this.#say = say;
  }

  /** received handles a message from the server. */
  received(raw: unknown): void {
    const message = decode(JSON.stringify(raw));
    if (message.type === "verdict") return this.#element?.verdict(message);
    this.#state = message;
    this.#display(message);
  }

  #display(message: State): void {
    const order = message.order.filter(({ id }) => this.#only === undefined || this.#only === id);
    if (order.length > 0) this.#begin();
    this.#element?.state({ ...message, order });
    if (order.length === 0 && (this.#open || this.#only !== undefined)) this.#say(CLOSED);
    this.#open = order.length > 0;
  }

  /**
   * concerns says which question the view is for; "" means that it is for none. It displays no other
   * from now on: without this, the view of an old question would display the present one when the host
   * opens the conversation again. The server may have been quicker than the host.
   */
  concerns(id: string): void {
    if (id === this.#only) return;
    this.#only = id;
    if (this.#state !== undefined) this.#display(this.#state);
  }

  /** connected is called when a connection begins: the server has forgotten what this view displays. */
  connected(): void {
    this.#element?.connect((message) => this.#send(JSON.stringify(message)));
  }

  /** full says whether the view is as large as the window: then a question does not fill it. */
  full(full: boolean): void {
    this.#full = full;
    this.#element?.toggleAttribute("data-fills", !full);
  }

  lost(): void {
    this.#element?.offline();
  }

  #begin(): void {
    if (this.#element !== undefined) return;
    if (customElements.get("ui-popup") === undefined) customElements.define("ui-popup", PopupElement);
    this.#element = new PopupElement((changed) => new WholeView(changed, (mode) => this.#moveBar(mode), (height) => {
      this.#parent.style.setProperty("--question-height", `${height}px`);
    }));
    this.full(this.#full);
    this.#parent.append(this.#element);
    this.connected();
  }

  #moveBar(mode: Mode): void {
    const { element, tools } = this.#bar;
    if (mode === "dialog") return this.#element?.append(element, tools);
    element.append(tools);
    this.#parent.prepend(element);
  }
}

/** WholeView lets questions cover the whole view. The conversation notifies the person. */
class WholeView implements Surface {
  readonly address = ""; // the view's own has no meaning elsewhere
  readonly canNotify = false;
  readonly #granted: (mode: Mode) => void;
  readonly #grow: (height: number) => void;
  mode: Mode = "none";

  /** granted is called with what the element has got, grow with the height that the view is to have, in CSS pixels. */
  constructor(changed: () => void, granted: (mode: Mode) => void, grow: (height: number) => void) {
    this.#granted = granted;
    this.#grow = grow;
    for (const type of ["focus", "blur"] as const) window.addEventListener(type, () => changed());
  }

  want({ mode, height }: Wanted): void {
    this.#grow(mode === "none" ? 0 : height);
    if (mode === this.mode) return;
    this.mode = mode;
    this.#granted(mode);
  }
}
