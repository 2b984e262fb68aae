// The modal dialog with one question.

import { closeModal, stayOnTop } from "../focus";
import { isMuted, setMuted } from "./chime";
import { cut } from "./cut";
import { button, icon, make } from "../elements";
import { Form } from "./form";
import type { Question, Reply } from "./wire";

/** DialogEvents are the person's actions in a dialog. */
export interface DialogEvents {
  replied(question: Question, reply: Reply): void;
  postpone(question: Question): void;
  /** active is called now and then while the person is at a question with a default. */
  active(question: Question): void;
  /** notify is called when the person wants desktop notifications. */
  notify(): void;
  /** resized is called when the dialog may need another height. */
  resized(): void;
}

const BELL = icon("M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7M10 20a2 2 0 0 0 4 0");
const NO_BELL = icon("M6 9a6 6 0 0 1 10-4.5M18 10c.2 5 2 6 2 6H4s2-1 2-7M10 20a2 2 0 0 0 4 0M3 3l18 18");
const MORE_BELL = icon("M14 3.4A6 6 0 0 0 6 9c0 6-2 7-2 7h16s-1.5-.8-1.9-4M10 20a2 2 0 0 0 4 0M19 2v6M16 5h6");
const DOWN = icon("M6 9l6 6 6-6");

const ACTIVITY = ["keydown", "pointerdown", "pointermove", "wheel", "input", "compositionupdate"] as const;
const PAUSE = 1000; // milliseconds between two reports of it
const RESPITE = 30_000; // milliseconds for which the server takes no default after such a report

const LEAST = 72; // CSS pixels of the text above options that stay in sight

/** Dialog is a modal dialog. Its owner opens and closes it. */
export class Dialog {
  readonly element = make("dialog", { role: "dialog", "aria-modal": "true", "aria-labelledby": "title", "aria-describedby": "message", tabindex: "-1" });
  /** returnsTo is what in the page gets the focus when the dialog closes. */
  returnsTo: Element | null = null;
  readonly #events: DialogEvents;
  readonly #title = make("h2", { id: "title" });
  readonly #message = make("div", { class: "message", id: "message" });
  readonly #images = make("div", "images");
  readonly #reading = make("div", "reading", this.#message, this.#images);
  readonly #slot = make("div");
  readonly #notes = make("slot", { name: "notes" }); // for what the surface says above the question
  readonly #tools = make("slot", { name: "tools" }); // for buttons of the surface
  readonly #covered = make("p", { class: "covered", role: "status" });
  readonly #over = make("p", { class: "over", role: "alert" }); // says that the question has ended; hidden before that
  readonly #body = make("div", "body", this.#reading, this.#slot, this.#covered, this.#over);
  readonly #sending = make("span", "sending");
  readonly #cuts = [cut(this.#body), cut(this.#reading)];
  readonly #meta = make("span", "meta");
  readonly #left = make("span", "left");
  readonly #decline = button("quiet decline", "I won’t answer", () => (this.#isOver ? this.#postpone() : this.#reply({ action: "decline", values: [], text: "" })));
  readonly #live = make("div", { class: "sr", role: "status" }); // screen readers read nothing outside of an open dialog
  readonly #bell = button("tool bell", "", () => this.#ring()); // how the person is called
  #question: Question | undefined;
  #form: Form | undefined;
  #ends = 0; // when the question ends, by the page's clock
  #reported = -Infinity; // when the person's activity was last reported
  #position = ""; // such as "1 of 3"
  #canNotify = false;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(events: DialogEvents) {
    this.#events = events;
    const away = button("tool away", "", () => this.#postpone(), "Later: keep the question and what you have typed (Escape)");
    away.innerHTML = DOWN;
    const header = make("header", {}, this.#title, this.#tools, this.#bell, away);
    const footer = make("footer", {}, make("div", "facts", this.#meta, this.#left), make("div", "acts", this.#decline, this.#sending));
    this.element.append(this.#notes, header, this.#body, footer, this.#live);
    const resizes = new ResizeObserver(() => this.#fit());
    for (const part of [this.element, header, this.#body, ...this.#body.children, this.#message, this.#images, footer]) resizes.observe(part);
    this.element.addEventListener("cancel", (event) => {
      event.preventDefault(); // Escape is handled as a key
    });
    // A file that is dropped beside what takes it would replace the page.
    for (const type of ["dragover", "drop"] as const) {
      this.element.addEventListener(type, (event) => {
        if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "none";
      });
    }
    this.element.addEventListener("keydown", (event) => this.#key(event));
    for (const type of ACTIVITY) this.element.addEventListener(type, ({ isTrusted }) => isTrusted && this.#active(), { capture: true, passive: true });
  }

  /** offersNotices reports whether the bell asks for desktop notifications, rather than switching the chime. */
  get #offersNotices(): boolean {
    return this.#canNotify && !isMuted();
  }

  get #isOver(): boolean {
    return !this.#over.hidden;
  }

  get question(): Question | undefined {
    return this.#question;
  }

  /** typing reports whether the person has typed something, or is about to type a secret. */
  get typing(): boolean {
    return this.#form?.typing ?? false;
  }

  /** show opens the dialog with a question. */
  show(question: Question): void {
    this.#form?.forget();
    this.#question = question;
    this.#ends = question.ends;
    this.#over.hidden = true;
    this.element.className = question.severity;
    this.#title.textContent = question.title;
    this.#message.innerHTML = question.html;
    this.#images.replaceChildren(...question.images.map(({ src, alt }) => make("img", { src, alt: alt ?? "" })));
    this.#images.hidden = question.images.length === 0;
    const form = new Form(question, (reply) => {
      if (this.#form === form) this.#reply(reply); // it comes later than the click
    });
    this.#form = form;
    this.#slot.replaceChildren(form.element);
    this.#sending.replaceChildren(...(form.button === undefined ? [] : [form.button]));
    this.#decline.textContent = question.prompt ? "Leave it unanswered" : "I won’t answer";
    if (!this.element.open) {
      this.returnsTo = document.activeElement;
      this.element.showModal();
    }
    this.element.focus();
    clearInterval(this.#clock);
    this.#clock = setInterval(() => this.#tick(), 1000);
    this.#tick();
  }

  /**
   * end says that the question has ended. The dialog stays, so that what the person types on reaches
   * nothing else, until they put it away.
   */
  end(): void {
    const { prompt, secret } = this.#question ?? {};
    this.#form?.end();
    const typed = secret === true ? "What you typed was dropped, and so is what you type now." : "What you typed was not sent. You can still copy it; what you type now is dropped.";
    this.#over.textContent = `${prompt === true ? "The program no longer asks for this." : "This question is over."} ${typed} Close this with Escape.`;
    this.#over.hidden = false;
    this.#decline.textContent = "Close";
    const root = this.element.getRootNode() as ShadowRoot;
    if (root.activeElement?.checkVisibility() !== true) this.element.focus();
    this.#tick();
  }

  /** settled sets whether input counts. The first time, a text field gets the focus if the person has not moved it. */
  settled(settled: boolean): void {
    this.element.classList.toggle("settled", settled);
    const root = this.element.getRootNode() as ShadowRoot;
    if (settled && this.element.open && root.activeElement === this.element) this.#form?.focusText();
  }

  /** covered says that something hides a part of the dialog, which therefore takes no input; url is where nothing does. */
  covered(url: string): void {
    this.#covered.hidden = url === "";
    if (url === "" || this.#covered.firstChild !== null) return;
    const link = make("a", { href: url, target: "_blank" }, "Answer it in a page of its own.");
    this.#covered.append("Something on this page may cover a part of this question, so it takes no answer here. ", link);
  }

  /** height returns the height at which nothing is cut, however much there is, in CSS pixels. */
  height(): number {
    const { element } = this;
    return Math.ceil(element.scrollHeight + element.offsetHeight - element.clientHeight - this.#body.offsetHeight + this.#content);
  }

  /** close closes the dialog and returns the focus. */
  close(): void {
    this.#question = undefined;
    this.#form?.forget();
    this.#form = undefined;
    clearInterval(this.#clock);
    if (this.element.open) closeModal(this.element, this.returnsTo);
    this.returnsTo = null;
  }

  /** stayOnTop keeps the dialog, which is in the shadow tree of host, above the modals of the page. */
  stayOnTop(host: Element): void {
    let within: HTMLElement = this.element; // what had the focus last
    this.element.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLElement) within = target;
    });
    stayOnTop(this.element, host, (focused) => {
      this.returnsTo = focused;
      within.focus();
    });
  }

  /** surround updates what is shown beside the question. */
  surround(position: string, canNotify: boolean): void {
    this.#position = position;
    this.#canNotify = canNotify;
    const offers = this.#offersNotices;
    const muted = isMuted();
    this.#bell.innerHTML = offers ? MORE_BELL : muted ? NO_BELL : BELL;
    if (offers) this.#bell.removeAttribute("aria-pressed");
    else this.#bell.setAttribute("aria-pressed", String(muted));
    const label = offers ? "Notify me: show a desktop notification when there is a question" : "Silence the chime";
    this.#bell.setAttribute("aria-label", label);
    this.#bell.title = muted ? "The chime is silent" : label;
    this.#tick();
  }

  /** announce makes screen readers read a text. */
  announce(text: string): void {
    this.#live.textContent = text;
  }

  /** fail shows why an answer was not accepted. */
  fail(text: string): void {
    this.#form?.fail(text);
  }

  #reply(reply: Reply): void {
    if (this.#question === undefined) return;
    this.#form?.busy(true);
    this.#events.replied(this.#question, reply);
  }

  #active(): void {
    const now = performance.now();
    if (this.#question === undefined || this.#question.default === "" || this.#isOver || now < this.#reported + PAUSE) return;
    this.#reported = now;
    this.#ends = Math.max(this.#ends, now + RESPITE);
    this.#events.active(this.#question);
    this.#tick();
  }

  #ring(): void {
    if (this.#offersNotices) return this.#events.notify();
    setMuted(!isMuted());
    this.surround(this.#position, this.#canNotify);
  }

  #postpone(): void {
    if (this.#question !== undefined) this.#events.postpone(this.#question);
  }

  /** content is the height of what the body contains, in sight or not. */
  get #content(): number {
    return this.#body.scrollHeight + this.#reading.scrollHeight - this.#reading.clientHeight;
  }

  /** fit lets only the text scroll where what to answer with has room below some of it, or else all of it. */
  #fit(): void {
    const reading = this.#reading.scrollHeight;
    const fits = this.#content - reading + Math.min(reading, LEAST) <= this.#body.clientHeight;
    this.element.classList.toggle("pinned", fits);
    for (const update of this.#cuts) update();
    this.#events.resized();
  }

  /** tick updates the remaining time. */
  #tick(): void {
    if (this.#question === undefined) return;
    const { options, default: value, workspace, host, client } = this.#question;
    const left = Math.max(0, Math.round((this.#ends - performance.now()) / 1000));
    const position = this.#position;
    const project = workspace.split("/").at(-1) ?? "";
    const name = client === "" ? project : `${project} · ${client} asks`;
    // Text of the question cannot be here: nothing of it looks as if another host had asked.
    const where = host === "" ? make("span", "workspace", name) : make("strong", "host", `asked on ${host}`);
    if (position !== "" && where.textContent !== "") where.prepend(" · ");
    this.#meta.replaceChildren(position, where);
    const label = options.find((option) => option.value === value)?.label ?? value;
    const time = left >= 3600 ? `${Math.round(left / 3600)} h` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    this.#left.hidden = this.#isOver;
    this.#left.textContent = value === "" ? `${time} left` : `in ${time}: “${label}”`;
    this.#left.title = label;
    this.#meta.title = workspace;
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const path = event.composedPath();
    const typing = path.some((e) => e instanceof HTMLTextAreaElement || (e instanceof HTMLInputElement && e.type !== "checkbox"));
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    switch (event.key) {
      case "Escape":
        event.preventDefault();
        return this.#postpone();
      case "Tab":
        return this.#tab(event);
      case "ArrowDown":
      case "ArrowUp":
        if (typing || !plain || this.#isOver) return;
        event.preventDefault();
        return this.#form?.step(event.key === "ArrowDown" ? 1 : -1);
    }
    if (/^\S$/u.test(event.key) && !typing && plain && !event.repeat && !this.#isOver) this.#form?.character(event);
  }

  /** tab keeps the focus inside the dialog. */
  #tab(event: KeyboardEvent): void {
    const within = [...this.#notes.assignedElements(), ...this.#tools.assignedElements(), this.element];
    const all = within.flatMap((e) => [...e.querySelectorAll<HTMLElement>("a[href], button, input, textarea")]).filter((e) => e.checkVisibility());
    const active = (this.element.getRootNode() as ShadowRoot).activeElement ?? document.activeElement;
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (active !== edge && !(event.shiftKey && active === this.element)) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  }
}
