// The corner of the page: how many questions are waiting, and the outcome of the last one. It is in
// the top layer, above what the app put there earlier.

import { button, make } from "./elements";
import type { Question } from "./wire";

const TOAST = 5000; // milliseconds

/** CornerEvents are the person's actions in the corner. */
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

  /** waiting shows how many questions are waiting. The first can be dismissed here if it is mine. */
  waiting(count: number, first: Question | undefined, mine: boolean): void {
    this.#question = mine ? first : undefined;
    this.#dismiss.hidden = !mine;
    this.#chip.hidden = count === 0;
    const title = first?.title ?? "Questions";
    if (count > 0) this.#open.textContent = count === 1 ? title : `${title} (1 of ${count})`;
    this.#open.setAttribute("aria-label", `Open: ${this.#open.textContent ?? ""}`);
    this.#updatePopover();
  }

  /** focus moves the focus to the chip, where a second Escape dismisses the question. */
  focus(): void {
    this.#open.focus();
  }

  /** notify shows a text for a few seconds. */
  notify(text: string): void {
    clearTimeout(this.#timer);
    this.#toast.textContent = text;
    this.#toast.hidden = false;
    this.#updatePopover();
    this.#timer = setTimeout(() => {
      this.#toast.hidden = true;
      this.#updatePopover();
    }, TOAST);
  }

  #updatePopover(): void {
    const show = !this.#chip.hidden || !this.#toast.hidden;
    if (show !== this.element.matches(":popover-open")) this.element.togglePopover(show);
  }
}
