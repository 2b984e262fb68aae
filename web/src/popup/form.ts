// The form of a question: options, a text, or both.

import { button, make } from "../elements";
import { Added } from "./added";
import { loadDraft, saveDraft, type Draft } from "./drafts";
import type { Asker, Question, Reply } from "./wire";

const ASKERS: Readonly<Record<Asker, string>> = {
  agent: "Your agent",
  app: "The app that asks",
  program: "The program that asks",
};

/** Form holds the controls of one question. */
export class Form {
  readonly element = make("form", { class: "form", novalidate: true });
  /** button sends what is checked or typed, and is beside the form. It is missing where an option answers. */
  readonly button: HTMLButtonElement | undefined;
  readonly #question: Question;
  readonly #submit: (reply: Reply) => void;
  readonly #options: HTMLElement[] = []; // in order: a button, or a label with a checkbox
  readonly #boxes: HTMLInputElement[] = [];
  readonly #text: HTMLInputElement | HTMLTextAreaElement | undefined;
  readonly #added: Added | undefined;
  readonly #error = make("p", { class: "error", role: "alert" });
  readonly #initial: string; // text that the person has not typed
  #over = false; // the question has ended
  #busy = false; // an answer is on its way
  #reading: symbol | undefined; // the answer whose files are still being read

  /** submit is called when the person answers. */
  constructor(question: Question, submit: (reply: Reply) => void) {
    this.#question = question;
    this.#submit = submit;
    const draft = question.secret ? undefined : loadDraft(question.id);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.element.addEventListener("input", () => this.#save());
    const list = question.options.length > 0 ? this.#list(draft) : "";
    if (!question.prompt) this.element.append(list);
    this.#initial = question.secret || question.prompt || question.options.length > 0 ? "" : question.default;
    if (question.allowText) {
      this.#text = this.#field(draft);
      this.element.append(this.#text);
    }
    if (question.files > 0) {
      this.#added = new Added(question.files, (why) => (this.#error.textContent = why));
      this.#added.listen(this.element);
      this.element.append(this.#added.element);
    }
    this.element.append(this.#error);
    if (question.multiple || question.allowText) {
      this.button = make("button", { class: "send", type: "submit", form: this.element.id = "form" }, question.multiple ? "Submit" : "Send");
    }
    if (question.prompt) this.element.append(list);
  }

  #save(): void {
    if (!this.#question.secret) saveDraft(this.#question.id, this.#draft());
  }

  #draft(): Draft {
    return { text: this.#text?.value ?? "", values: this.#boxes.filter(({ checked }) => checked).map(({ value }) => value) };
  }

  /** focusText moves the focus to the text if there is nothing to choose. Options get no focus: a stray key would answer. */
  focusText(): void {
    if (this.#question.options.length === 0 || this.#question.prompt) this.#text?.focus();
  }

  /**
   * character handles the key of a character outside of the text. A question that takes a text gets it
   * there. Else a digit answers, or toggles one of several; with danger, and where the option is
   * scrolled out of sight, it only moves the focus.
   */
  character(event: KeyboardEvent): void {
    if (this.#text !== undefined) return this.#text.focus(); // in which the browser now enters it
    const index = Number(event.key) - 1;
    const option = this.#question.options[index];
    const control = this.#control(index);
    if (option === undefined || control === undefined) return;
    event.preventDefault();
    const seen = isInSight(this.#options[index] ?? control);
    control.focus();
    if (!seen) return;
    const box = this.#boxes[index];
    if (box !== undefined) {
      box.checked = !box.checked;
      this.#save();
    } else if (this.#question.severity !== "danger") this.#answer([option.value]);
  }

  /** step moves the focus among the options. */
  step(by: number): void {
    const controls = this.#question.options.map((_, i) => this.#control(i));
    const root = this.element.getRootNode() as ShadowRoot;
    const at = controls.findIndex((control) => control === root.activeElement);
    const next = at < 0 ? (by > 0 ? 0 : controls.length - 1) : (at + by + controls.length) % controls.length;
    controls[next]?.focus();
  }

  /** typing reports whether the person has typed something, or is about to type a secret. */
  get typing(): boolean {
    if (this.#added?.any === true) return true;
    if (this.#text === undefined) return false;
    const { secret } = this.#question;
    return this.#text.value !== this.#initial || (secret && document.hasFocus() && this.#text.matches(":focus"));
  }

  /**
   * end takes no answer any more. The text field keeps the focus and drops what is typed. What was
   * typed before stays, to be copied, unless it is a secret.
   */
  end(): void {
    this.#over = true;
    if (this.#text === undefined) return;
    this.forget();
    this.#text.placeholder = "";
    this.#text.readOnly = true;
    if (this.button !== undefined) this.button.hidden = true;
    for (const part of this.element.children) if (part instanceof HTMLElement) part.hidden = part !== this.#text;
  }

  /** send submits what is checked and typed. */
  send(): void {
    if (this.#over) return;
    const { text, values } = this.#draft();
    if ((this.#question.secret ? text : text.trim()) === "" && values.length === 0 && this.#added?.any !== true) {
      this.fail(this.#missing());
      return;
    }
    this.#answer(values);
  }

  /** missing says what an answer needs. */
  #missing(): string {
    const { multiple, allowText, options, prompt } = this.#question;
    if (multiple) return allowText ? "Choose at least one, or type an answer." : "Choose at least one.";
    return options.length > 0 && !prompt ? "Choose an option, or type an answer." : "Type something first.";
  }

  #answer(values: readonly string[]): void {
    if (this.#over || this.#busy) return;
    this.#error.textContent = "";
    const text = this.#question.prompt && values.length > 0 ? "" : (this.#text?.value ?? "");
    // What was typed and added stays until that is taken.
    if (this.#added?.any !== true) return this.#submit({ action: "answer", values, text });
    this.busy(true);
    const answer = (this.#reading = Symbol());
    void this.#added.files().then((files) => {
      if (this.#over || this.#reading !== answer) return;
      if (files === undefined) this.busy(false); // it is said which is missing
      else this.#submit({ action: "answer", values, text, files });
    });
  }

  /** forget removes a secret from the form. */
  forget(): void {
    if (this.#question.secret && this.#text !== undefined) this.#text.value = "";
  }

  /** fail shows an error and enables the form again. */
  fail(text: string): void {
    this.#error.textContent = text;
    this.busy(false);
  }

  /** busy sets whether an answer is on its way. One whose files are still being read is withdrawn. */
  busy(busy: boolean): void {
    this.#busy = busy;
    this.#reading = undefined;
    for (const part of [this.element, this.button]) part?.classList.toggle("busy", busy);
    this.element.setAttribute("aria-busy", String(busy));
  }

  #control(index: number): HTMLElement | undefined {
    return this.#boxes[index] ?? this.#options[index];
  }

  #list(draft: Draft | undefined): HTMLElement {
    const list = make("div", { class: "options", role: "group", "aria-labelledby": "title" });
    const confirmed = this.#question.severity === "danger" && !this.#question.multiple; // see character
    this.#question.options.forEach(({ label, value, description }, i) => {
      const words = make("span", "words", make("span", "label", label), description === undefined ? undefined : make("span", "description", description));
      const digit = make("kbd", { class: "digit", "aria-hidden": "true" }, i < 9 && !this.#question.allowText ? `${i + 1}${confirmed ? " ⏎" : ""}` : "");
      const preset = value === this.#question.default;
      let option: HTMLElement;
      if (this.#question.multiple) {
        const box = make("input", { type: "checkbox", value });
        box.checked = draft?.values.includes(value) ?? preset;
        this.#boxes.push(box);
        option = make("label", "option", box);
      } else {
        option = button(preset ? "option default" : "option", "", () => this.#answer([value]));
      }
      option.append(words, digit);
      this.#options.push(option);
      list.append(option);
    });
    return list;
  }

  #field(draft: Draft | undefined): HTMLInputElement | HTMLTextAreaElement {
    const { secret, prompt, reveal, options, asker, host } = this.#question;
    const field = secret || prompt ? make("input", {
      class: "text", type: secret ? "password" : "text", autocapitalize: "off", spellcheck: "false",
      // Browsers offer to store passwords in spite of "off", but not codes that are used once.
      autocomplete: secret ? "one-time-code" : "off", "data-1p-ignore": "true", "data-lpignore": "true", "data-bwignore": "true",
    }) : make("textarea", { class: "text", rows: options.length > 0 ? 1 : 3 });
    field.value = secret ? "" : (draft?.text ?? this.#initial);
    if (field instanceof HTMLTextAreaElement) {
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        this.send();
      });
    }
    field.setAttribute("aria-label", secret ? "Secret" : "Your answer");
    if (secret && host !== "") field.placeholder = `Sent to ${host}`; // what becomes of it there, and on the way, is not known here
    else if (prompt) field.placeholder = secret ? "Only the program gets this" : "Type it here";
    else if (secret) field.placeholder = `${ASKERS[asker]} ${reveal ? "gets to see this" : "learns only that you have typed something"}`;
    else field.placeholder = options.length > 0 ? "Or type an answer" : "Type an answer";
    return field;
  }
}

/** isInSight reports whether the middle of an option can be seen: a long question scrolls. */
function isInSight(option: Element): boolean {
  const view = option.closest(".body")?.getBoundingClientRect();
  const { top, bottom } = option.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  return view === undefined || (middle >= view.top && middle <= view.bottom);
}
