// The note over a terminal: the state of its connection, or what went wrong, with a button.

import { button, make } from "../elements";
import type { Client, State } from "./data/client";
import { sentenceOf } from "./data/sentences";

/** Milliseconds after which the note says that there is no connection yet. */
const DELAY = 600;

/** Note is one message at a time. */
export class Note {
  readonly element = make("div", { class: "terminal-notice", role: "status", hidden: true });
  readonly #acted: () => void;
  // What may be lost of what the person has typed, until they know.
  uncertain = false; // some was on the way when a connection broke, or ended
  unsent = false; // some was typed without a connection, and dropped
  #due: ReturnType<typeof setTimeout> | undefined; // until a message is displayed

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
    if (this.uncertain) lost.push("Some of what you typed was still on the way: check what has arrived.");
    if (this.unsent) lost.push("Some of what you typed without a connection was not sent.");
    return lost.join(" ");
  }

  /** connection displays the state of a client's connection, unless all is well or may be soon. */
  connection(state: State, client: Client): void {
    clearTimeout(this.#due);
    switch (state.is) {
      case "connecting":
        this.#due = setTimeout(() => this.say("Connecting…"), DELAY);
        break;
      case "attached":
        this.hide();
        if (this.losses !== "") {
          this.say(this.losses, "OK", () => {
            this.uncertain = this.unsent = false;
            this.hide();
          });
        }
        break;
      case "waiting": {
        const kept = client.kept ? " What you typed meanwhile will be sent." : "";
        const say = (): void => this.say(`${state.why === "" ? "The connection was lost." : sentenceOf(state.why)} Connecting again…${kept}`, "Now", () => client.hurry());
        if (kept !== "" || performance.now() - state.since > DELAY) say();
        else this.#due = setTimeout(say, DELAY);
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
    clearTimeout(this.#due);
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
