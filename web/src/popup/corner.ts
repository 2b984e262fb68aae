// The corner of the page: how many questions wait, and what became of the last one. It lies in the top layer, above whatever the
// app has put there before.

import { button, make } from "./make";
import type { Question } from "./wire";

const TOAST = 5000; // milliseconds

/** What the person does in the corner. */
export interface CornerEvents {
  open(): void;
  dismiss(question: Question): void;
}

/** Corner shows the chip and the toast. */
export class Corner {
  readonly element = make("div", "corner");
  readonly #chip = make("div", "chip");
  readonly #open: HTMLButtonElement;
  readonly #dismiss: HTMLButtonElement;
  readonly #toast = make("div", "toast");
  #question: Question | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: CornerEvents) {
    this.element.popover = "manual";
    this.#open = button("open", "", () => events.open());
    const dismiss = (): void => {
      if (this.#question !== undefined) events.dismiss(this.#question);
    };
    this.#dismiss = button("quiet dismiss", "Dismiss", dismiss, "Dismiss the question without an answer (Escape)");
    this.#chip.append(this.#open, this.#dismiss);
    this.#chip.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      dismiss();
    });
    this.#chip.hidden = this.#toast.hidden = true;
    this.element.append(this.#toast, this.#chip);
  }

  /** waiting shows how many questions wait, the first of which is the one that the person may dismiss here. */
  waiting(count: number, first: Question | undefined, mine: boolean): void {
    this.#question = mine ? first : undefined;
    this.#dismiss.hidden = !mine;
    this.#chip.hidden = count === 0;
    const title = first?.title ?? "Questions";
    if (count > 0) this.#open.textContent = count === 1 ? title : `${title} (1 of ${count})`;
    this.#open.setAttribute("aria-label", `Open: ${this.#open.textContent ?? ""}`);
    this.#place();
  }

  /** focus puts the focus on the chip, where a second Escape dismisses. */
  focus(): void {
    this.#open.focus();
  }

  /** say shows a text for a while. */
  say(text: string): void {
    clearTimeout(this.#timer);
    this.#toast.textContent = text;
    this.#toast.hidden = false;
    this.#place();
    this.#timer = setTimeout(() => {
      this.#toast.hidden = true;
      this.#place();
    }, TOAST);
  }

  #place(): void {
    const show = !this.#chip.hidden || !this.#toast.hidden;
    if (show !== this.element.matches(":popover-open")) this.element.togglePopover(show);
  }
}
