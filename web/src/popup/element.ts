// The element <ui-popup>, which shows questions in its shadow tree. It has a document of its own,
// on an origin that scripts of apps cannot reach.

import { chime, isMuted, once } from "./chime";
import { Corner } from "./corner";
import { QuestionQueue, type Asked } from "./queue";
import { Dialog } from "./dialog";
import { forgetDraft } from "./drafts";
import { adopt, make } from "../elements";
import type { Mode } from "./link";
import { outcomeOf } from "./outcome";
import type { Surface } from "./surface";
import { Settling } from "./settle";
import { STYLE } from "./style";
import { Visibility } from "./visible";
import type { Question, Reply, State, ToServer, Verdict } from "./wire";

const BY_PERSON: ReadonlySet<string> = new Set(["answered", "declined", "dismissed"]); // outcomes
const HIDDEN = 3000; // milliseconds that a question may be invisible before it is reported

/** PopupElement shows the server's questions and sends the person's answers. */
export class PopupElement extends HTMLElement {
  readonly #queue = new QuestionQueue();
  readonly #live = make("div", { class: "sr", role: "status" });
  readonly #dialog: Dialog;
  readonly #corner: Corner;
  readonly #surface: Surface;
  readonly #settling: Settling;
  readonly #visibility: Visibility;
  #send: (message: ToServer) => boolean = () => false;
  #resumed = false; // no state has come on this connection
  #asked = false; // the person has asked for the dialog
  #kept: string | undefined; // a question that ended while the person was typing, and whose dialog stays
  #visible = false; // the person can see what this element shows
  #observed: Mode = "none"; // what #visible is about
  #hidden: ReturnType<typeof setTimeout> | undefined;

  /** surface returns the surface to use, which must call changed whenever it has changed. */
  constructor(surface: (changed: () => void) => Surface) {
    super();
    this.#dialog = new Dialog({
      replied: (question, reply) => this.#reply(question, reply),
      postpone: (question) => this.#postpone(question),
      active: ({ id }) => void this.#send({ type: "active", id }),
      notify: () => this.#surface.askToNotify?.(),
      resized: () => this.#render(),
    });
    this.#corner = new Corner({
      open: () => {
        for (const asked of this.#queue.all) asked.postponed = false;
        this.#asked = true;
        this.#render();
      },
      dismiss: (question) => this.#reply(question, { action: "dismiss", values: [], text: "" }),
      resized: () => this.#render(),
    });
    const root = this.attachShadow({ mode: "open" });
    adopt(root, STYLE);
    root.append(this.#live, this.#corner.element, this.#dialog.element);
    this.#settling = new Settling((settled) => {
      this.dataset["settled"] = String(settled);
      this.#dialog.settled(settled);
    }, (event) => this.#dialog.element.open || event.composedPath().includes(this.#corner.element));
    this.#visibility = new Visibility((visible) => {
      this.#visible = visible;
      this.#settling.visible(visible);
      if (visible) this.#dialog.covered("");
      this.#reportVisible();
    });
    this.#surface = surface(() => this.#render());
    this.#dialog.stayOnTop(this);
    document.addEventListener("visibilitychange", () => this.#reportVisible());
  }

  /** returnsTo is what in the page gets the focus that the dialog has. Scripts of the page may replace it. */
  get returnsTo(): Element | null {
    return this.#dialog.returnsTo;
  }

  set returnsTo(element: Element | null) {
    this.#dialog.returnsTo = element;
  }

  /** connect sets how to send messages on a new connection. */
  connect(send: (message: ToServer) => boolean): void {
    this.#send = send;
    for (const asked of this.#queue.all) asked.reported = false;
    this.#resumed = true;
    this.dataset["connection"] = "live";
    if (this.#dialog.question !== undefined) this.#dialog.fail("");
  }

  /** state applies a state from the server. */
  state(state: State): void {
    const { fresh, over } = this.#queue.update(state);
    for (const asked of over) this.#ended(asked);
    // What this page has answered was lost with the connection before.
    if (this.#resumed) for (const { question } of this.#queue.all) this.lost(question.id);
    this.#resumed = false;
    // A question may become this page's after it has arrived.
    const due = this.#queue.all.filter(({ mine, called }) => mine && !called);
    const first = (due[0] ?? fresh[0])?.question;
    if (first !== undefined) this.#announce(`Question: ${first.title}${fresh.length > 1 ? `, and ${fresh.length - 1} more` : ""}`);
    for (const asked of due) {
      asked.called = true;
      void once(asked.question.id, () => {
        if (!isMuted()) chime();
        this.#surface.call?.();
      });
    }
    this.#render();
  }

  /** verdict handles the server's response to an answer. */
  verdict(verdict: Verdict): void {
    if (verdict.ok || verdict.over === true) {
      if (!verdict.ok && verdict.error !== undefined) this.#notify(verdict.error);
      return; // a state without the question follows or has arrived
    }
    const asked = this.#queue.get(verdict.id);
    const answer = asked?.replied;
    if (verdict.again !== undefined && answer !== undefined) {
      // It has overtaken the message that the question is displayed.
      setTimeout(() => {
        if (this.#queue.get(verdict.id)?.replied === answer && !this.#send(answer)) this.lost(verdict.id);
      }, verdict.again);
      return;
    }
    if (asked !== undefined) asked.replied = undefined;
    if (this.#dialog.question?.id === verdict.id) this.#dialog.fail(verdict.error ?? "The answer was not taken.");
  }

  /** offline keeps the dialog open and says that there is no connection. */
  offline(): void {
    this.#send = () => false;
    this.dataset["connection"] = "offline";
    if (this.#dialog.question !== undefined) this.#dialog.fail("Not connected. Your answer can be sent when the server is back.");
  }

  /** lost takes back an answer that was lost with its connection, unless the question is over. */
  lost(id: string): void {
    const asked = this.#queue.get(id);
    if (asked?.replied === undefined) return;
    asked.replied = undefined;
    if (this.#dialog.question?.id === id) this.#dialog.fail("The connection broke before your answer arrived. Please answer again.");
  }

  #reply(question: Question, reply: Reply): void {
    const answer: ToServer = { type: "answer", id: question.id, ...reply };
    if (!this.#send(answer)) {
      this.#dialog.fail("Not connected. Try again in a moment.");
      return;
    }
    const asked = this.#queue.get(question.id);
    if (asked !== undefined) asked.replied = answer;
  }

  #postpone(question: Question): void {
    if (question.id === this.#kept) {
      this.#kept = undefined;
      this.#render();
      return;
    }
    const asked = this.#queue.get(question.id);
    if (asked !== undefined) asked.postponed = true;
    this.#asked = false;
    this.#render(true);
    if (this.#dialog.question === undefined) this.#corner.focus();
    this.#announce("Kept for later. Press Escape once more to dismiss the question.");
  }

  #ended({ question: { id }, replied: answer }: Asked): void {
    const past = this.#queue.outcome(id);
    // An answer may have been lost, or have come too late.
    const answered = answer !== undefined;
    if (answered || past !== undefined) forgetDraft(id); // else it may come back, as when its server starts again
    const replied = answered && (past === undefined || BY_PERSON.has(past.outcome));
    if (!replied && this.#dialog.question?.id === id && this.#dialog.typing) {
      this.#kept = id;
      this.#dialog.end();
    } else if (!replied && past !== undefined) {
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

  /** render updates the dialog and the corner. focus means that the corner is to get the focus. */
  #render(focus = false): void {
    const { all } = this.#queue;
    const question = this.#due();
    if (question === undefined) this.#asked = false;
    else this.#want("dialog");
    const granted = this.#surface.mode === "dialog" ? question : undefined;
    const open = this.#dialog.question;
    if (open !== undefined && open.id !== granted?.id) this.#dialog.close();
    if (granted !== undefined && this.#dialog.question === undefined) {
      this.#dialog.show(granted);
      this.#settling.begin();
      this.#asked = false; // the dialog is open
    }
    const shown = this.#dialog.question;
    const position = this.#queue.waiting > 1 && shown !== undefined && shown.id !== this.#kept ? `${all.findIndex(({ question: { id } }) => id === shown.id) + 1} of ${this.#queue.waiting}` : "";
    this.#dialog.surround(position, this.#surface.canNotify);
    const mine = all.find((asked) => asked.mine);
    this.#corner.waiting(shown === undefined ? this.#queue.waiting : 0, (mine ?? all[0])?.question, mine !== undefined);
    const state = shown !== undefined ? "dialog" : this.#queue.waiting > 0 ? "chip" : "idle";
    if (state === "chip" && this.dataset["state"] !== "chip") this.#settling.begin();
    this.dataset["state"] = state;
    this.dataset["question"] = shown?.id ?? "";
    this.#observe(state === "dialog" ? "dialog" : state === "chip" ? "corner" : "none");
    this.#want(question !== undefined ? "dialog" : this.#corner.used ? "corner" : "none", focus);
    this.#reportVisible();
  }

  #want(mode: Mode, focus = false): void {
    const size = this.#dialog.question === undefined ? this.#corner.size() : { width: 0, height: this.#dialog.height() };
    this.#surface.want({ mode, asked: this.#asked, focus, ...size, waiting: this.#queue.waiting });
  }

  /** due returns the question for the dialog, if any. An open question stays until the person puts it away. */
  #due(): Question | undefined {
    const open = this.#dialog.question;
    if (open !== undefined && open.id === this.#kept) return open;
    if (open !== undefined && this.#queue.get(open.id)?.postponed === false) return open;
    return (this.#queue.current ?? (this.#asked ? this.#queue.all[0] : undefined))?.question;
  }

  /** observe watches whether the person can see what is shown. */
  #observe(mode: Mode): void {
    if (mode === this.#observed) return;
    this.#observed = mode;
    if (mode === "none") this.#visibility.stop();
    else if (mode === "corner") this.#visibility.observe(this.#corner.element, true);
    else this.#visibility.observe(this.#dialog.element, false);
  }

  /**
   * reportVisible reports which questions the person can see, in the dialog or by the chip. In a tab
   * in the background nothing can be seen, but title, chime and notification call the person there.
   */
  #reportVisible(): void {
    const visible = this.#visible || document.visibilityState === "hidden";
    clearTimeout(this.#hidden);
    for (const asked of this.#queue.all) {
      if (visible && asked.mine && !asked.reported) asked.reported = this.#send({ type: "shown", id: asked.question.id });
    }
    if (!visible && this.#observed !== "none") this.#hidden = setTimeout(() => this.#reportHidden(), HIDDEN);
  }

  #reportHidden(): void {
    this.#dialog.covered(this.#surface.address);
    for (const asked of this.#queue.all) {
      if (asked.reported) this.#send({ type: "hidden", id: asked.question.id });
      asked.reported = false;
    }
  }
}
