// The note over a terminal: the state of its connection, or what went wrong, with a button.

import { button, make } from "../elements";
import type { Client, State } from "./data/client";
import { sentenceOf } from "./data/sentences";
import { clock } from "./clock";

/** Milliseconds after which the note says that there is no connection yet. */
const DELAY = 600;

/** Note is one message at a time. */
export class Note {
  readonly element = make("div", { class: "terminal-notice", role: "status", hidden: true });
  readonly #acted: () => void;
  // Characters that may be lost, until the person knows.
  uncertain = 0; // they were on the way when a connection broke, or ended
  unsent = 0; // they were typed without a connection, and dropped
  #cancel: () => void = () => {};

  /** acted is called after the person has pressed the note's button. */
  constructor(acted: () => void) {
    this.#acted = acted;
  }

  /** say displays a message, with a button if it has a label. */
  say(text: string, label?: string, act?: () => void): void {
    this.element.replaceChildren(make("span", "", text));
    if (label !== undefined && act !== undefined) {
      this.element.append(button("", label, () => {
        act();
        this.#acted();
      }));
    }
    this.element.hidden = false;
  }

  /** report displays a message until the person has read it. */
  report(text: string): void {
    this.say(text, "OK", () => this.hide());
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** losses says what may not have arrived of what the person has typed, or is empty. */
  get losses(): string {
    const lost = [];
    if (this.uncertain > 0) lost.push(`${characters(this.uncertain)} of what you typed ${this.uncertain === 1 ? "was" : "were"} still on the way: check what has arrived.`);
    if (this.unsent > 0) lost.push(`${characters(this.unsent)} that you typed without a connection ${this.unsent === 1 ? "was" : "were"} not sent.`);
    return lost.join(" ");
  }

  /** connection displays the state of a client's connection, unless all is well or may be soon. */
  connection(state: State, client: Client): void {
    this.#cancel();
    switch (state.is) {
      case "connecting":
        this.#cancel = clock.later(DELAY, () => this.say("Connecting…"));
        break;
      case "attached":
        this.hide();
        if (this.losses !== "") {
          this.say(this.losses, "OK", () => {
            this.uncertain = this.unsent = 0;
            this.hide();
          });
        }
        break;
      case "waiting": {
        const kept = client.kept > 0 ? ` ${characters(client.kept)} that you typed will be sent.` : "";
        const say = (): void => this.say(`${state.why === "" ? "The connection was lost." : sentenceOf(state.why)} Connecting again…${kept}`, "Now", () => client.hurry());
        if (kept !== "" || clock.now() - state.since > DELAY) say();
        else this.#cancel = clock.later(DELAY, say);
        break;
      }
      case "ended": {
        const text = `${ending(state)} ${this.losses}`.trimEnd();
        if (state.end?.reason === "exited") this.say(text);
        else this.say(text, "Attach again", () => client.again());
        break;
      }
    }
  }

  /** close cancels a message that is due. */
  close(): void {
    this.#cancel();
  }
}

/** ending says why a session is over for the view. */
function ending({ end, failure }: State & { is: "ended" }): string {
  if (failure !== undefined) return sentenceOf(failure.message);
  switch (end?.reason) {
    case "exited":
      return end.signal === "" ? `The program has ended with status ${end.code}.` : `The program was ended by ${end.signal}.`;
    case "removed":
      return "The session was removed.";
    default:
      return "This terminal was detached. The program runs on.";
  }
}

function characters(n: number): string {
  return n === 1 ? "1 character" : `${n} characters`;
}
