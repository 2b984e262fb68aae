// Questions that come over several connections, such as one for each terminal in a page. One that
// comes over more than one is displayed once.

import { make } from "../elements";
import type { PopupElement } from "./element";
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

/** DialogModule is ../../dist/terminals/dialog.js, which is built of ./element. */
export interface DialogModule {
  readonly PopupElement: typeof PopupElement;
}

/**
 * dialogAt loads the dialog from a URL. Browsers may remember that a script could not be loaded, so
 * later attempts have another URL.
 */
export function dialogAt(url: string): (attempt: number) => Promise<DialogModule> {
  return (attempt) => import(attempt === 0 ? url : `${url}?${attempt}`) as Promise<DialogModule>;
}

const FAILED = "A question waits for you, and its dialog could not be loaded. This page tries again.";
const FIRST = 1000; // milliseconds until the second attempt to load the dialog
const LONGEST = 30_000;

const NOTE = "position: fixed; inset: auto 0.75rem 0.75rem auto; z-index: 2147483647; max-inline-size: min(24rem, 100vw - 1.5rem); box-sizing: border-box; " +
  "padding: 0.5rem 0.9rem; border-radius: 11px; background: CanvasText; color: Canvas; font: 0.875rem/1.5 system-ui, sans-serif;";

/**
 * Sources displays the questions of all connections in one element. It loads that with the first
 * question, and adds it to the page.
 */
export class Sources {
  readonly #load: (attempt: number) => Promise<DialogModule>;
  readonly #surface: Surface;
  readonly #known = new Set<Known>();
  readonly #shown = new Set<string>(); // what the person can see
  readonly #note = make("div", { role: "status" }); // why a question is not displayed
  #changed: () => void = () => undefined; // the surface has
  #element: PopupElement | undefined;
  #loading = false;
  #failures = 0; // of attempts to load the dialog

  /** surface makes the surface at once, which must know what the person did before the first question. */
  constructor(surface: (changed: () => void) => Surface, load: (attempt: number) => Promise<DialogModule>) {
    this.#surface = surface(() => this.#changed());
    this.#load = load;
    this.#note.style.cssText = NOTE;
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
      if (known.answered.delete(message.id)) this.#element?.verdict(message);
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
      // The first connection that has a question gets the answer, so what it says is displayed.
      for (const entry of state?.order ?? []) order.set(entry.id, order.get(entry.id) ?? entry);
      for (const question of state?.questions ?? []) questions.set(question.id, questions.get(question.id) ?? question);
    }
    for (const id of this.#shown) if (!order.has(id)) this.#shown.delete(id);
    const needed = order.size > 0 && this.#element === undefined;
    this.#say(needed && this.#failures > 0 ? FAILED : "");
    if (needed) void this.#begin();
    this.#element?.state({ type: "state", order: [...order.values()], questions: [...questions.values()], waiting: order.size, history: [] });
  }

  /** begin loads the dialog, and tries again while a question waits for it. */
  async #begin(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const { PopupElement } = await this.#load(this.#failures);
      if (customElements.get("ui-popup") === undefined) customElements.define("ui-popup", PopupElement);
      this.#element = new PopupElement((changed) => {
        this.#changed = changed;
        return this.#surface;
      });
      document.body.append(this.#element);
      this.#element.connect((message) => this.#send(message));
      this.#display();
    } catch (error) {
      console.warn("the dialog of questions:", error);
      const pause = Math.min(FIRST * 2 ** this.#failures++, LONGEST);
      this.#display();
      await new Promise((later) => setTimeout(later, pause));
      this.#loading = false;
      this.#display();
    }
  }

  /** say displays a note, or removes it if it is empty. */
  #say(text: string): void {
    if (text === "") return this.#note.remove();
    if (this.#note.isConnected) return;
    document.body.append(this.#note);
    this.#note.textContent = text;
  }

  /**
   * send sends a message over the connections that have its question. One of them gets an answer; all
   * learn that it is put away, and what the first one says of that counts.
   */
  #send(message: ToServer): boolean {
    if (!("id" in message)) return true;
    if (message.type === "shown") this.#shown.add(message.id);
    else if (message.type === "hidden") this.#shown.delete(message.id);
    let sent = false;
    for (const { state, send, answered } of this.#known) {
      if (state?.order.some(({ id }) => id === message.id) !== true) continue;
      const first = !sent;
      sent = send(JSON.stringify(message)) || sent;
      if (!sent || message.type !== "answer") continue;
      if (first) answered.add(message.id);
      if (message.action !== "dismiss") break;
    }
    return sent;
  }
}
