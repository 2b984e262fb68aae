// The client applies the server's messages to the page and sends the person's actions to the
// server.

import { Outbox, MAX_MESSAGE, type Reason } from "./data/outbox";
import type { Field } from "./data/field";
import type { Value } from "./data/value";
import { Acts } from "./dom/acts";
import { Components, type ComponentLibrary } from "./dom/components";
import { Drafts } from "./dom/drafts";
import { Editors } from "./dom/editors";
import { enterSubmits } from "./dom/implicit";
import { labelOf } from "./dom/label";
import { observed } from "./dom/observed";
import { Page } from "./dom/page";
import { clicksWherePressed } from "./dom/press";
import { ProblemsBadge } from "./dom/problems";
import { Status } from "./dom/status";
import { submissionOf } from "./dom/submission";
import { Typing } from "./dom/typing";
import { Uploads } from "./dom/uploads";
import { runDeferred } from "./deferred";
import type { Reports } from "./report";
import { NO_SESSION, type Transport, type TransportEvents } from "./transport";
import { decode, type Ack, type Batch, type Event, type PageMessage, type Snapshot } from "./wire";

/** Stats are figures about the page, for tests and debugging. */
export interface Stats {
  readonly instances: number;
  readonly pending: number;
  readonly seq: number | null;
}

export interface ClientParts {
  readonly root: Element; // the element with the attribute ui-app
  readonly session: string;
  readonly reports: Reports;
  readonly store: unknown; // for bindings of kind "code"
  readonly library: ComponentLibrary;
  readonly connect: (events: TransportEvents) => Transport;
  readonly uploads?: string; // where files are sent; without it, none are
  /** outdated is called when the server speaks another protocol. It reports whether the page is being replaced. */
  readonly outdated: (proto: number) => boolean;
  /** fits is called when the server speaks the same protocol. */
  readonly fits?: () => void;
  /** skipped is called with the templates whose JavaScript is skipped. Without it, their JavaScript runs. */
  readonly skipped?: (key: string) => void;
}

/** Client shows one session in one element. */
export class Client {
  readonly #parts: ClientParts;
  readonly #status = new Status();
  #seq: number | null = null; // of the last message that is displayed; null: batches are ignored until a snapshot comes
  readonly #outbox: Outbox;
  readonly #editors: Editors;
  readonly #page: Page;
  readonly #transport: Transport;
  readonly #problems: ProblemsBadge;
  readonly #components: Components;
  readonly #acts: Acts;
  readonly #drafts: Drafts;
  #live = false; // a snapshot has arrived on this connection
  readonly #disposed = new AbortController();

  constructor(parts: ClientParts) {
    this.#parts = parts;
    const { root, session, reports, store, library, connect, uploads, skipped } = parts;
    this.#outbox = new Outbox((ref, events, seen) => this.#post(ref, events, seen), {
      seen: () => this.#seq,
      pending: (n) => this.#status.pending(n),
      unfinished: () => this.#unfinished(),
      undelivered: (edit, reason) => {
        const entry = this.#editors.entry(edit.field);
        if (entry === undefined) return;
        this.#drafts.undelivered(entry, edit, reason);
        if (reason === "large") this.#tooLarge(`the edit of ${labelOf(entry.element) || entry.key}`);
      },
      refused: (reason) => this.#refused(reason),
    });
    this.#editors = new Editors(this.#outbox, new Typing((element) => this.#drafts.typed(element)));
    this.#page = new Page({
      root,
      outbox: this.#outbox,
      editors: this.#editors,
      uploads: new Uploads({
        address: uploads,
        seen: () => {
          const { epoch } = this.#drafts;
          return epoch === undefined || this.#seq === null ? undefined : { epoch, seq: this.#seq };
        },
        cards: () => this.#drafts.unsaved,
      }, this.#disposed.signal),
      reports,
      store,
      refused: () => this.#status.refused(),
      acted: (instance) => this.#drafts.used(instance),
      arranged: () => this.#drafts.sweep(),
      ask: (window) => this.#live && this.#send(window),
      skipped,
    });
    this.#components = new Components(
      library,
      () => {
        this.#editors.defined();
        this.#drafts.defined();
      },
      (where, error) => reports.add(where, error),
    );
    const shared = { page: this.#page, editors: this.#editors, outbox: this.#outbox };
    this.#drafts = new Drafts({ session, ...shared });
    this.#acts = new Acts({ ...shared, drafts: this.#drafts, send: (answer) => this.#send(answer) });
    this.#problems = new ProblemsBadge(([instance, slot]) => this.#page.element(instance, slot));
    this.#transport = connect({
      received: (message) => this.#received(message),
      closed: (code) => this.#closed(code),
    });
  }

  /** start connects and installs the event listeners. */
  start(): void {
    const { signal } = this.#disposed;
    this.#editors.listen(document, signal);
    clicksWherePressed(signal);
    this.#drafts.listen(signal);
    this.#components.watch(document, signal);
    document.addEventListener("visibilitychange", () => this.#visible(), { signal });
    enterSubmits(document, signal);
    document.addEventListener("submit", (event) => {
      if (submissionOf(event) === "page") event.preventDefault();
    }, { signal });
    this.#transport.start();
  }

  /**
   * dispose ends the client: nothing of it stays in the document, and edits that the server has not
   * acknowledged are lost. The caller ends the transport.
   */
  dispose(): void {
    this.#live = false;
    this.#disposed.abort();
    this.#outbox.lost();
    this.#page.clear();
    this.#problems.dispose();
    this.#drafts.unsaved.dispose();
    this.#status.dispose();
  }

  stats(): Stats {
    return { instances: this.#page.size, pending: this.#outbox.pending, seq: this.#seq };
  }

  disconnect(): void {
    this.#transport.disconnect();
  }

  /** value returns what an element holds; undefined when it is not editable. */
  value(element: Element): Value | undefined {
    const entry = this.#editors.of(element);
    return entry?.control.read(element);
  }

  /** update writes value to an editable element and sends it. It reports whether it was sent. */
  update(element: Element, value: Value): boolean {
    const entry = this.#editors.of(element);
    if (entry === undefined) return false;
    entry.control.write(element, value);
    const { instance, slot } = entry.field.editor;
    const sent = this.#outbox.send(instance, slot, value);
    if (!sent) this.#status.now();
    return sent;
  }

  #received(received: string | object): void {
    try {
      const message = decode(received);
      switch (message.type) {
        case "snapshot":
          return this.#snapshot(message);
        case "batch":
          return this.#batch(message);
        case "ack":
          return this.#ack(message);
        case "act":
          return this.#acts.perform(message);
        case "problems":
          return this.#problems.show(message.problems);
        case "notice":
          return this.#status.notice(message.text);
        case "foreign":
          if (!this.#parts.outdated(message.proto)) {
            this.#status.offline("This page does not fit the server. Close it and open it again.");
          }
          return;
      }
    } catch (error) {
      this.#parts.reports.add("message from the server", error);
      this.#resync();
    }
  }

  /** resync asks for a snapshot, once: the page may not be as the server thinks. */
  #resync(): void {
    if (this.#seq !== null) this.#send({ type: "resync" });
    this.#seq = null;
  }

  #snapshot(message: Snapshot): void {
    this.#parts.fits?.();
    const first = this.#drafts.epoch === undefined;
    const renewed = !first && this.#drafts.epoch !== message.epoch;
    if (renewed) this.#outbox.lost();
    this.#drafts.look();
    this.#drafts.epoch = message.epoch;
    this.#seq = message.seq;
    this.#live = true;
    if (document.visibilityState === "hidden") this.#visible();
    this.#page.snapshot(message, renewed);
    if (first) this.#drafts.restore();
    runDeferred(document);
    this.#problems.show(message.problems);
    this.#outbox.connected();
    if (!observed) this.#parts.reports.connected((error) => this.#send(error));
    this.#status.live();
    this.#status.seq(message.seq);
    this.#drafts.unsaved.update();
  }

  #batch(message: Batch): void {
    if (this.#seq === null) return;
    if (message.seq !== this.#seq + 1) return this.#resync();
    this.#seq = message.seq;
    this.#drafts.look();
    const whole = this.#page.batch(message);
    this.#drafts.unsaved.update();
    this.#status.seq(message.seq);
    if (!whole) this.#resync();
  }

  #ack({ ref, error, stale, failed }: Ack): void {
    this.#editors.released(this.#outbox.acknowledge(ref, stale, failed));
    if (error !== undefined) this.#parts.reports.answered(error);
    this.#acts.settled();
  }

  #closed(code: number): void {
    this.#live = false;
    this.#acts.lost();
    this.#seq = null;
    this.#outbox.lost();
    this.#parts.reports.lost();
    this.#status.offline(code === NO_SESSION ? `There is no session “${this.#parts.session}” here.` : undefined);
  }

  #post(ref: number, events: readonly Event[], seq: number | null): boolean {
    if (observed) {
      queueMicrotask(() => this.#ack({ type: "ack", ref, error: undefined, stale: [], failed: [] }));
      return true;
    }
    const act = this.#acts.running;
    return this.#live && seq !== null && this.#send({ type: "events", ref, seq, ...(act !== undefined && { act }), events });
  }

  /** visible tells the session whether the person can see this page: an agent then acts in another one, if there is one. */
  #visible(): void {
    if (this.#live) this.#send({ type: "visible", on: document.visibilityState === "visible" });
  }

  /** unfinished returns the field in which the person types, unless they themselves have just acted. */
  #unfinished(): Field | undefined {
    const { element, byPerson } = this.#editors.typing;
    return element === undefined || byPerson ? undefined : this.#editors.of(element)?.field;
  }

  #refused(reason: Reason): void {
    if (reason === "large") return this.#tooLarge("the argument of an action");
    this.#status.say(
      reason === "gone"
        ? "Nothing happened: what you clicked has just changed. Please try again."
        : "The connection broke. What you clicked last may not have been carried out.",
    );
  }

  #tooLarge(what: string): void {
    this.#parts.reports.add("page", new Error(`${what} is too large to send: at most ${MAX_MESSAGE >> 20} MiB fit into a message`));
  }

  #send(message: PageMessage): boolean {
    return this.#transport.send(JSON.stringify(message));
  }
}
