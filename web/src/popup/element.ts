// The element <ui-popup>: questions above any app. Everything is in its shadow tree.

import { Attention } from "./attention";
import { Corner } from "./corner";
import { Desk } from "./desk";
import { Dialog } from "./dialog";
import { forgetDraft, loadDraft, saveDraft } from "./drafts";
import { outcomeOf } from "./history";
import { make } from "./make";
import { STYLE } from "./style";
import type { Question, Reply, State, ToServer, Verdict } from "./wire";

const IDLE = 700; // milliseconds without a key: a dialog does not jump between two of them

/** PopupElement shows what the server tells, and tells what the person does. */
export class PopupElement extends HTMLElement {
  readonly #desk = new Desk();
  readonly #attention = new Attention();
  readonly #live = make("div", "sr");
  readonly #dialog: Dialog;
  readonly #corner: Corner;
  #send: (message: ToServer) => boolean = () => false;
  #told = new Set<string>(); // questions of which the server knows that they are shown here
  #called = new Set<string>(); // questions for which the person was called
  #replied = new Set<string>(); // questions that this page has answered
  #typed = -Infinity; // when the person last typed into the app
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.#dialog = new Dialog({
      replied: (question, reply) => this.#reply(question, reply),
      putAway: (question) => this.#putAway(question),
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
        this.#desk.takeUp();
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

  /** connect gives the element the way to the server, which knows nothing of this page yet. */
  connect(send: (message: ToServer) => boolean): void {
    this.#send = send;
    this.#told.clear();
  }

  /** state takes what there is. */
  state(state: State): void {
    const { fresh, over } = this.#desk.take(state);
    for (const id of over) this.#ended(id);
    // A question may have waited for others before it is this page's to show.
    const due = this.#desk.all().filter(({ id }) => this.#desk.isMine(id) && !this.#called.has(id));
    const first = due[0] ?? fresh[0];
    if (first !== undefined) this.#announce(`Question: ${first.title}${fresh.length > 1 ? `, and ${fresh.length - 1} more` : ""}`);
    for (const question of due) {
      this.#called.add(question.id);
      void this.#attention.call(question);
    }
    this.#render();
  }

  /** verdict takes what became of an answer. */
  verdict(verdict: Verdict): void {
    if (verdict.ok || verdict.over === true) {
      if (!verdict.ok && verdict.error !== undefined) this.#say(verdict.error);
      return; // a state without the question comes, or has come
    }
    this.#replied.delete(verdict.id);
    if (this.#dialog.question?.id === verdict.id) this.#dialog.fail(verdict.error ?? "The answer was not taken.");
  }

  /** offline keeps what is shown, and says that nobody hears it. */
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

  #putAway(question: Question): void {
    this.#desk.putAway(question.id);
    this.#render();
    if (this.#dialog.question === undefined) this.#corner.focus();
    this.#announce("Kept for later. Press Escape once more to dismiss the question.");
  }

  #ended(id: string): void {
    this.#attention.done(id);
    this.#told.delete(id);
    this.#called.delete(id);
    forgetDraft(id);
    const past = this.#desk.outcome(id);
    if (!this.#replied.delete(id) && past !== undefined) {
      const where = past.channel === "" || past.channel === "page" ? "" : ` (${past.channel})`;
      this.#say(`${past.title}: ${outcomeOf(past)}${where}`);
    }
  }

  #say(text: string): void {
    this.#announce(text);
    this.#corner.say(text);
  }

  #announce(text: string): void {
    this.#live.textContent = text;
    this.#dialog.announce(text);
  }

  /** render makes what is seen fit the desk. asked says that the person wants to see a question now. */
  #render(asked = false): void {
    const all = this.#desk.all();
    const question = this.#desk.current() ?? (asked ? all[0] : undefined);
    const open = this.#dialog.question;
    if (open !== undefined && (!this.#desk.has(open.id) || (question === undefined && this.#desk.isMine(open.id)))) this.#dialog.close();
    if (question !== undefined && (asked || this.#desk.isMine(question.id)) && this.#dialog.question === undefined) this.#open(question, asked);
    const shown = this.#dialog.question;
    const position = this.#desk.waiting > 1 && shown !== undefined ? `${all.indexOf(shown) + 1} of ${this.#desk.waiting}` : "";
    this.#dialog.surround({
      position, muted: this.#attention.muted, canNotify: this.#attention.canAsk, history: this.#desk.history,
    });
    const mine = all.find(({ id }) => this.#desk.isMine(id));
    this.#corner.waiting(shown === undefined ? this.#desk.waiting : 0, mine ?? all[0], mine !== undefined);
    this.#attention.count(this.#desk.waiting);
    this.dataset["state"] = shown !== undefined ? "dialog" : this.#desk.waiting > 0 ? "chip" : "idle";
    this.dataset["question"] = shown?.id ?? "";
    this.#prove();
  }

  /** open opens the dialog, once the person does not type into the app. */
  #open(question: Question, asked: boolean): void {
    clearTimeout(this.#timer);
    const busy = this.#typed + IDLE - performance.now();
    if (asked || busy <= 0) this.#dialog.show(question, question.secret ? undefined : loadDraft(question.id));
    else this.#timer = setTimeout(() => this.#render(), busy);
  }

  /** prove tells the server which questions the person can see: in the dialog, or by the chip. */
  #prove(): void {
    for (const { id } of this.#desk.all()) {
      if (!this.#desk.isMine(id) || this.#told.has(id)) continue;
      if (this.#send({ type: "shown", id })) this.#told.add(id);
    }
  }
}
