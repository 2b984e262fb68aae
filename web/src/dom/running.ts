// A button acts once: while what a click has started still runs, further clicks do nothing.

import { adopt } from "../elements";

// Milliseconds after which a method is not quick any more. Clicks that come before wait for it, so
// that three quick clicks on a counter count three.
const QUICK = 400;

const REST = 400; // milliseconds for which a button that sends a form rests after the answer

// :where has no weight, so that any rule of the page's own styles wins.
const STYLE = `
:where([data-ui-running]) { cursor: progress; opacity: 0.55; transition: opacity 0.15s 0.15s; }`;

/** Send sends an action. It must call done when that is answered, or cannot be. */
export type Send = (done: () => void) => void;

/** Press is a click, or the key that stands for one. */
export interface Press {
  readonly button: Element;
  readonly submits: boolean;
  readonly inputs: number;
  readonly send: Send;
}

/** Running is whether what one binding has started still runs. */
export class Running {
  #runs = 0; // counts starts; the last is what runs
  #inputs = 0; // what the person had entered when it started
  #waiting: Press[] | undefined; // undefined while nothing runs
  #rests = false; // it was answered
  #marked: Element | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * press sends, unless what was sent before still runs. submits says that the button sends a form.
   * inputs counts what the person has entered so far: a form with something new is sent, once the one
   * before is answered.
   */
  press(press: Press): void {
    const renewed = press.submits && press.inputs !== (this.#waiting?.at(-1)?.inputs ?? this.#inputs);
    if (this.#waiting === undefined || (renewed && this.#rests)) this.#start(press, []);
    else if (press.submits ? renewed : this.#marked === undefined) this.#waiting.push(press);
  }

  /** end forgets what runs: the binding is for something else now. */
  end(): void {
    clearTimeout(this.#timer);
    this.#runs++;
    this.#waiting = undefined;
    this.#rests = false;
    this.#mark(undefined);
  }

  #start(press: Press, waiting: Press[]): void {
    adopt(document, STYLE);
    this.end();
    const run = this.#runs;
    const { button, submits, inputs, send } = press;
    this.#waiting = waiting;
    this.#inputs = inputs;
    if (submits) this.#mark(button);
    else this.#timer = setTimeout(() => this.#slow(button), QUICK);
    send(() => {
      if (run !== this.#runs) return;
      clearTimeout(this.#timer);
      const [next, ...rest] = this.#waiting ?? [];
      if (next !== undefined) return this.#start(next, rest);
      if (!submits) return this.end();
      this.#rests = true;
      this.#timer = setTimeout(() => this.end(), REST);
    });
  }

  #slow(button: Element): void {
    this.#waiting = [];
    this.#mark(button);
  }

  #mark(button: Element | undefined): void {
    if (this.#marked === button) return;
    for (const name of ["aria-busy", "data-ui-running"]) {
      this.#marked?.removeAttribute(name);
      button?.setAttribute(name, "true");
    }
    this.#marked = button;
  }
}
