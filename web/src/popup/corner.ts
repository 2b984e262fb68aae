// The corner of the page: how many questions are waiting, and the outcome of the last one.

import { button, make } from "../elements";
import type { Question } from "./wire";

const TOAST = 5000; // milliseconds

/** CornerEvents are the person's actions in the corner, and its changes. */
export interface CornerEvents {
  open(): void;
  dismiss(question: Question): void;
  resized(): void;
}

/** Corner shows the chip and the toast. */
export class Corner {
  readonly element = make("div", { class: "corner", role: "region", "aria-label": "Questions" });
  readonly #chip = make("div", { class: "chip", hidden: true });
  readonly #open: HTMLButtonElement;
  readonly #dismiss: HTMLButtonElement;
  readonly #toast = make("div", { class: "toast", hidden: true });
  #question: Question | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resized: () => void;

  constructor(events: CornerEvents) {
    this.#resized = () => events.resized();
    this.#open = button("open", "", () => events.open());
    this.#open.dataset["harmless"] = "";
    const dismiss = (): void => {
      if (this.#question !== undefined) events.dismiss(this.#question);
    };
    this.#dismiss = button("quiet dismiss", "Dismiss", dismiss, "Dismiss the question without an answer (Escape)");
    this.#chip.append(this.#open, this.#dismiss);
    this.#chip.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      dismiss();
    });
    this.element.append(this.#toast, this.#chip);
    new ResizeObserver(() => events.resized()).observe(this.element);
  }

  /** used reports whether there is anything to show. */
  get used(): boolean {
    return !this.#chip.hidden || !this.#toast.hidden;
  }

  /** size returns the room that the corner needs, however much it has, in CSS pixels. */
  size(): { width: number; height: number } {
    this.element.classList.add("measured");
    const { width, height } = this.element.getBoundingClientRect();
    this.element.classList.remove("measured");
    return { width: Math.ceil(width), height: Math.ceil(height) };
  }

  /** waiting shows how many questions are waiting. The first can be dismissed here if it is mine. */
  waiting(count: number, first: Question | undefined, mine: boolean): void {
    this.#question = mine ? first : undefined;
    this.#dismiss.hidden = !mine;
    this.#chip.hidden = count === 0;
    const title = first?.title ?? "Questions";
    if (count > 0) this.#open.textContent = count === 1 ? title : `${title} (1 of ${count})`;
    this.#open.setAttribute("aria-label", `Open: ${this.#open.textContent ?? ""}`);
    this.element.classList.toggle("used", this.used);
  }

  /** focus moves the focus to the chip, where a second Escape dismisses the question. */
  focus(): void {
    this.#open.focus();
  }

  /** notify shows a text for a few seconds. */
  notify(text: string): void {
    clearTimeout(this.#timer);
    this.#toast.textContent = text;
    this.#showToast(true);
    this.#timer = setTimeout(() => this.#showToast(false), TOAST);
  }

  #showToast(show: boolean): void {
    this.#toast.hidden = !show;
    this.element.classList.toggle("used", this.used);
    this.#resized();
  }
}
