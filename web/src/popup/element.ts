// The element <ui-popup>, which shows questions above any app in its shadow tree.

import { Attention } from "./attention";
import { Corner } from "./corner";
import { QuestionQueue } from "./queue";
import { Dialog } from "./dialog";
import { forgetDraft, loadDraft, saveDraft } from "./drafts";
import { outcomeOf } from "./history";
import { make } from "./elements";
import { STYLE } from "./style";
import type { Question, Reply, State, ToServer, Verdict } from "./wire";

const IDLE = 700; // milliseconds without a key before a dialog opens

/** PopupElement shows the server's questions and sends the person's answers. */
export class PopupElement extends HTMLElement {
  readonly #queue = new QuestionQueue();
  readonly #attention = new Attention();
  readonly #live = make("div", "sr");
  readonly #dialog: Dialog;
  readonly #corner: Corner;
  #send: (message: ToServer) => boolean = () => false;
  #reported = new Set<string>(); // questions that the server knows are visible here
  #called = new Set<string>(); // questions for which the person was called
  #replied = new Set<string>(); // questions that this page has answered
  #typed = -Infinity; // when the person last typed into the app
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.#dialog = new Dialog({
      replied: (question, reply) => this.#reply(question, reply),
      postpone: (question) => this.#postpone(question),
      drafted: (question, draft) => {
        if (!question.secret) saveDraft(question.id, draft);
      },
      muted: (muted) => {
        this.#attention.muted = muted;
        this.#render();
      },
      notify: () => void this.#attention.ask().finally(() => this.#render()),
    });
    this.#corner = new Corner({
      open: () => {
        this.#queue.resume();
        this.#render(true);
      },
      dismiss: (question) => this.#reply(question, { action: "dismiss", values: [], text: "" }),
    });
    this.#live.setAttribute("role", "status");
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(this.#live, this.#corner.element, this.#dialog.element);
    const typed = (event: KeyboardEvent): void => {
      if (!event.composedPath().includes(this)) this.#typed = performance.now();
    };
    document.addEventListener("keydown", typed, { capture: true });
  }

  /** connect sets how to send messages on a new connection. */
  connect(send: (message: ToServer) => boolean): void {
    this.#send = send;
    this.#reported.clear();
  }

  /** state applies a state from the server. */
  state(state: State): void {
    const { fresh, over } = this.#queue.update(state);
    for (const id of over) this.#ended(id);
    // A question may become this page's after it has arrived.
    const due = this.#queue.all().filter(({ id }) => this.#queue.isMine(id) && !this.#called.has(id));
    const first = due[0] ?? fresh[0];
    if (first !== undefined) this.#announce(`Question: ${first.title}${fresh.length > 1 ? `, and ${fresh.length - 1} more` : ""}`);
    for (const question of due) {
      this.#called.add(question.id);
      void this.#attention.call(question);
    }
    this.#render();
  }

  /** verdict handles the server's response to an answer. */
  verdict(verdict: Verdict): void {
    if (verdict.ok || verdict.over === true) {
      if (!verdict.ok && verdict.error !== undefined) this.#notify(verdict.error);
      return; // a state without the question follows or has arrived
    }
    this.#replied.delete(verdict.id);
    if (this.#dialog.question?.id === verdict.id) this.#dialog.fail(verdict.error ?? "The answer was not taken.");
  }

  /** offline keeps the dialog open and says that there is no connection. */
  offline(): void {
    this.#send = () => false;
    this.dataset["connection"] = "offline";
    if (this.#dialog.question !== undefined) this.#dialog.fail("Not connected. Your answer can be sent when the server is back.");
  }

  online(): void {
    this.dataset["connection"] = "live";
    if (this.#dialog.question !== undefined) this.#dialog.fail("");
  }

  #reply(question: Question, reply: Reply): void {
    if (!this.#send({ type: "answer", id: question.id, ...reply })) {
      this.#dialog.fail("Not connected. Try again in a moment.");
      return;
    }
    this.#replied.add(question.id);
  }

  #postpone(question: Question): void {
    this.#queue.postpone(question.id);
    this.#render();
    if (this.#dialog.question === undefined) this.#corner.focus();
    this.#announce("Kept for later. Press Escape once more to dismiss the question.");
  }

  #ended(id: string): void {
    this.#attention.done(id);
    this.#reported.delete(id);
    this.#called.delete(id);
    forgetDraft(id);
    const past = this.#queue.outcome(id);
    if (!this.#replied.delete(id) && past !== undefined) {
      const where = past.channel === "" || past.channel === "page" ? "" : ` (${past.channel})`;
      this.#notify(`${past.title}: ${outcomeOf(past)}${where}`);
    }
  }

  #notify(text: string): void {
    this.#announce(text);
    this.#corner.notify(text);
  }

  #announce(text: string): void {
    this.#live.textContent = text;
    this.#dialog.announce(text);
  }

  /** render updates the dialog and the corner. asked means that the person requested a question. */
  #render(asked = false): void {
    const all = this.#queue.all();
    const question = this.#queue.current() ?? (asked ? all[0] : undefined);
    const open = this.#dialog.question;
    if (open !== undefined && (!this.#queue.has(open.id) || (question === undefined && this.#queue.isMine(open.id)))) this.#dialog.close();
    if (question !== undefined && (asked || this.#queue.isMine(question.id)) && this.#dialog.question === undefined) this.#open(question, asked);
    const shown = this.#dialog.question;
    const position = this.#queue.waiting > 1 && shown !== undefined ? `${all.indexOf(shown) + 1} of ${this.#queue.waiting}` : "";
    this.#dialog.surround({
      position, muted: this.#attention.muted, canNotify: this.#attention.canAsk, history: this.#queue.history,
    });
    const mine = all.find(({ id }) => this.#queue.isMine(id));
    this.#corner.waiting(shown === undefined ? this.#queue.waiting : 0, mine ?? all[0], mine !== undefined);
    this.#attention.count(this.#queue.waiting);
    this.dataset["state"] = shown !== undefined ? "dialog" : this.#queue.waiting > 0 ? "chip" : "idle";
    this.dataset["question"] = shown?.id ?? "";
    this.#reportVisible();
  }

  /** open opens the dialog when the person is not typing into the app. */
  #open(question: Question, asked: boolean): void {
    clearTimeout(this.#timer);
    const busy = this.#typed + IDLE - performance.now();
    if (asked || busy <= 0) this.#dialog.show(question, question.secret ? undefined : loadDraft(question.id));
    else this.#timer = setTimeout(() => this.#render(), busy);
  }

  /** reportVisible reports which questions the person can see, in the dialog or by the chip. */
  #reportVisible(): void {
    for (const { id } of this.#queue.all()) {
      if (!this.#queue.isMine(id) || this.#reported.has(id)) continue;
      if (this.#send({ type: "shown", id })) this.#reported.add(id);
    }
  }
}
