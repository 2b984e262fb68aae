// Questions that come over several connections, such as one for each terminal in a page. One that
// comes over more than one is displayed once.

import { PopupElement } from "./element";
import type { Surface } from "./surface";
import { decode, type QueueEntry, type Question, type State, type ToServer } from "./wire";

/** Source is a connection over which questions come. */
export interface Source {
  /** received handles a message from the server. */
  received(text: string): void;
  /** ended is called when there is no connection. again says that there will be another one. */
  ended(again: boolean): void;
}

interface Known {
  readonly send: (text: string) => boolean;
  state: State | undefined; // the last one
  broken: boolean; // that was before the connection broke
  readonly answered: Set<string>; // questions whose answers have got no verdict
}

/** Sources displays the questions of all connections in one element, which it adds to the page with the first. */
export class Sources {
  readonly #surface: (changed: () => void) => Surface;
  readonly #known = new Set<Known>();
  readonly #shown = new Set<string>(); // what the person can see
  #element: PopupElement | undefined;

  constructor(surface: (changed: () => void) => Surface) {
    this.#surface = surface;
  }

  /** add adds a connection. send returns false while there is none. */
  add(send: (text: string) => boolean): Source {
    const known: Known = { send, state: undefined, broken: false, answered: new Set() };
    return {
      received: (text) => {
        try {
          this.#received(known, text);
        } catch (error) {
          console.error("message about questions:", error);
        }
      },
      ended: (again) => {
        known.broken = true;
        if (again) return; // its questions stay until it says which there are
        known.state = undefined;
        this.#known.delete(known);
        this.#display();
        this.#lost(known);
      },
    };
  }

  #received(known: Known, text: string): void {
    const message = decode(text);
    if (message.type === "verdict") {
      known.answered.delete(message.id);
      this.#element?.verdict(message);
      return;
    }
    known.state = message;
    this.#known.add(known);
    this.#display();
    this.#lost(known);
    for (const { id } of message.order) {
      if (this.#shown.has(id)) known.send(JSON.stringify({ type: "shown", id } satisfies ToServer));
    }
  }

  /** lost takes back the answers that were lost with a connection. */
  #lost(known: Known): void {
    if (!known.broken) return;
    known.broken = false;
    for (const id of known.answered) this.#element?.lost(id);
    known.answered.clear();
  }

  #display(): void {
    const order = new Map<string, QueueEntry>();
    const questions = new Map<string, Question>();
    for (const { state } of this.#known) {
      for (const entry of state?.order ?? []) order.set(entry.id, order.get(entry.id) ?? entry);
      for (const question of state?.questions ?? []) questions.set(question.id, question);
    }
    for (const id of this.#shown) if (!order.has(id)) this.#shown.delete(id);
    if (order.size > 0) this.#begin();
    this.#element?.state({ type: "state", order: [...order.values()], questions: [...questions.values()], waiting: order.size, history: [] });
  }

  #begin(): void {
    if (this.#element !== undefined) return;
    if (customElements.get("ui-popup") === undefined) customElements.define("ui-popup", PopupElement);
    this.#element = new PopupElement(this.#surface);
    document.body.append(this.#element);
    this.#element.connect((message) => this.#send(message));
    this.#element.online();
  }

  /** send sends a message over the connections that have its question; one of them gets an answer. */
  #send(message: ToServer): boolean {
    if (!("id" in message)) return true;
    if (message.type === "shown") this.#shown.add(message.id);
    else if (message.type === "hidden") this.#shown.delete(message.id);
    let sent = false;
    for (const { state, send, answered } of this.#known) {
      if (state?.order.some(({ id }) => id === message.id) !== true) continue;
      sent = send(JSON.stringify(message)) || sent;
      if (!sent || message.type !== "answer") continue;
      answered.add(message.id);
      break;
    }
    return sent;
  }
}
