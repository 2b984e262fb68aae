// Questions in a view: the same dialog as in a page.

import { PopupElement } from "../popup/element";
import type { Mode } from "../popup/link";
import type { Surface } from "../popup/surface";
import { decode, type State, type ToServer } from "../popup/wire";

const CLOSED = "This question is closed.";

/** Questions displays the questions that the server sends to this view. */
export class Questions {
  readonly #parent: Element;
  readonly #bar: Element;
  readonly #send: (text: string) => boolean;
  readonly #say: (text: string) => void;
  #element: PopupElement | undefined;
  #state: State | undefined; // the last one
  #open = false; // there was a question
  #only: string | undefined; // the question that the view is for; "": none; undefined: not known, or any

  /**
   * bar is at the top of parent, and while a question is displayed, at the top of its dialog: nothing
   * else takes clicks then. say displays a note to the person.
   */
  constructor(parent: Element, bar: Element, send: (text: string) => boolean, say: (text: string) => void) {
    this.#parent = parent;
    this.#bar = bar;
    bar.slot = "tools";
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
    const send = (message: ToServer): boolean => this.#send(JSON.stringify(message));
    this.#element?.connect(send);
    this.#element?.online();
  }

  lost(): void {
    this.#element?.offline();
  }

  #begin(): void {
    if (this.#element !== undefined) return;
    if (customElements.get("ui-popup") === undefined) customElements.define("ui-popup", PopupElement);
    this.#element = new PopupElement((changed) => new WholeView(changed, (mode) => this.#moveBar(mode)));
    this.#parent.append(this.#element);
    this.connected();
  }

  #moveBar(mode: Mode): void {
    if (mode === "dialog") this.#element?.append(this.#bar);
    else this.#parent.prepend(this.#bar);
  }
}

/** WholeView lets questions cover the whole view. The conversation notifies the person. */
class WholeView implements Surface {
  readonly address = ""; // the view's own has no meaning elsewhere
  readonly canNotify = false;
  readonly #granted: (mode: Mode) => void;
  mode: Mode = "none";

  /** granted is called with what the element has got. */
  constructor(changed: () => void, granted: (mode: Mode) => void) {
    this.#granted = granted;
    for (const type of ["focus", "blur"] as const) window.addEventListener(type, () => changed());
  }

  get focused(): boolean {
    return document.visibilityState === "visible" && document.hasFocus();
  }

  want({ mode }: { readonly mode: Mode }): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.#granted(mode);
  }

  call(): void {}

  askToNotify(): void {}
}
