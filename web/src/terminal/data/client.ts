// Client is a terminal attached to a session: it attaches, comes back after its connection has
// broken, and keeps account of what was typed. It draws nothing. This file does not use the DOM.

import { attachedOf, endOf, failureOf, jsonFrame, Kind, plainFrame, sizeOf, textOf, typedOf, utf8, type End, type Failure, type Frame, type Identity, type Size } from "./frames";
import type { Dial, Link } from "./link";
import { WireError } from "../../data/validate";

/** State is the state of the connection to the session. */
export type State =
  | { readonly is: "connecting" }
  | { readonly is: "attached"; readonly session: Identity }
  | { readonly is: "waiting"; readonly since: number; readonly why: string } // to connect again
  | { readonly is: "ended"; readonly end: End | undefined; readonly failure: Failure | undefined };

/** ClientHandler has the callbacks of a Client. */
export interface ClientHandler {
  changed(state: State): void;
  /** resized is called before the first picture, and before each of another size. */
  resized(size: Size): void;
  /** draw gets a picture. The handler calls Client.drawn once it is on the screen. */
  draw(bytes: Uint8Array): void;
  /**
   * uncertain is called when the connection has broken, or the terminal was detached, while input was
   * on the way: it may have arrived or not, and is not sent again.
   */
  uncertain(): void;
  /** unsent is called when input that was typed without a connection is dropped. */
  unsent(): void;
  /** refused is called for an error that ends nothing. */
  refused(failure: Failure): void;
  /** question gets a message about questions, if the client has asked for them. */
  question(text: string): void;
}

/** ClientOptions say how to attach. */
export interface ClientOptions {
  readonly dial: Dial;
  readonly readOnly: boolean;
  readonly questions: boolean; // the page displays questions itself
  readonly name: string; // by which others know the terminal; "" lets the server choose
}

/** The most bytes of one Input frame. */
const PIECE = 32 << 10;
/** The most bytes that are kept while there is no connection. */
const PENDING = 64 << 10;
/** Milliseconds between attempts to connect; the last one repeats. Each is cut by up to a half. */
const DELAYS = [200, 500, 1000, 2000, 5000, 10_000];
/** Milliseconds after which a connection counts as successful. */
const STEADY = 2000;
/** Milliseconds without any frame after which the connection counts as broken. The server pings every 30 s. */
const SILENCE = 75_000;
/** Milliseconds that the server may take to answer a ping of ours, and our request. */
const PROBE = 5000;
const ANSWER = 15_000;
/** The code of a server's error that may be different the next time. */
const BUSY = "resource_limit_reached";

/** Client is one attached terminal. It is started by start and ended by close. */
export class Client {
  readonly #o: ClientOptions;
  readonly #on: ClientHandler;
  #state: State = { is: "connecting" };
  #link: Link | undefined;
  #linked = 0; // counts links, so that a late call of an old one is recognised
  #session: Identity | undefined;
  #size: Size | undefined; // that the session gets when this terminal leads
  #leads = false; // it is to lead when it has a size and is attached
  #attempts = 0;
  #openedAt = 0;
  #brokenAt: number | undefined;
  #heardAt = -Infinity; // when a frame has last arrived
  #sent = 0; // bytes of input in this connection
  #handled = 0; // of those, how many the server has handled
  #pending: Uint8Array[] = []; // typed while there was no connection
  #kept = 0; // bytes in pending
  #timer: ReturnType<typeof setTimeout> | undefined; // until the next attempt
  #watcher: ReturnType<typeof setTimeout> | undefined; // of silence

  constructor(options: ClientOptions, handler: ClientHandler) {
    this.#o = options;
    this.#on = handler;
  }

  /** state returns the present state. */
  get state(): State {
    return this.#state;
  }

  /** session returns the session to which the terminal was attached last. */
  get session(): Identity | undefined {
    return this.#session;
  }

  /** start connects. */
  start(): void {
    this.#connect();
  }

  /** close detaches. No method of the handler is called afterwards. */
  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#watcher);
    this.#linked++;
    this.#link?.send(plainFrame(Kind.Detach));
    this.#link?.close();
    this.#link = undefined;
    this.#state = { is: "ended", end: undefined, failure: undefined };
  }

  /** hurry connects at once if the client waits to do so, or checks that the connection works. */
  hurry(): void {
    if (this.#state.is === "waiting") {
      this.#connect();
    } else if (this.#state.is === "attached") {
      this.#send(plainFrame(Kind.Ping));
      this.#watch(PROBE);
    }
  }

  /** again connects after the session was ended. */
  again(): void {
    if (this.#state.is !== "ended") return;
    this.#session = undefined;
    this.#attempts = 0;
    this.#brokenAt = undefined;
    this.#connect();
  }

  /**
   * type sends input. While there is no connection, it keeps it, and sends it when there is one. It
   * returns false if it drops the input, because too much is kept already or the session has ended.
   */
  type(bytes: Uint8Array): boolean {
    if (this.#o.readOnly || bytes.length === 0) return !this.#o.readOnly;
    if (this.#state.is === "attached") {
      this.#input(bytes);
      return true;
    }
    if (this.#state.is === "ended") return false;
    if (this.#kept + bytes.length > PENDING) {
      this.#on.unsent();
      return false;
    }
    this.#pending.push(bytes);
    this.#kept += bytes.length;
    return true;
  }

  /** kept is whether input waits for a connection. */
  get kept(): boolean {
    return this.#kept > 0;
  }

  /** resize says which size the session gets when this terminal leads. */
  resize(size: Size): void {
    if (this.#size?.cols === size.cols && this.#size.rows === size.rows) return;
    this.#size = size;
    if (this.#state.is === "attached") this.#send(jsonFrame(Kind.Resize, size));
    if (this.#leads) this.lead();
  }

  /** lead gives the session the size of this terminal, once that is known and it is attached. */
  lead(): void {
    this.#leads = this.#size === undefined || this.#state.is !== "attached";
    if (!this.#leads) this.#send(plainFrame(Kind.Lead));
  }

  /** aboutQuestion sends a message about a question. It returns false while there is no connection. */
  aboutQuestion(text: string): boolean {
    if (this.#state.is !== "attached") return false;
    this.#send({ kind: Kind.Question, content: utf8(text) });
    return true;
  }

  /** redraw asks for the whole picture. */
  redraw(): void {
    if (this.#state.is === "attached") this.#send(jsonFrame(Kind.Resize, this.#size ?? { cols: 0, rows: 0 }));
  }

  /** drawn says that a picture is on the screen. hidden says that nobody can see it. */
  drawn(hidden: boolean): void {
    if (this.#state.is === "attached") this.#send(hidden ? jsonFrame(Kind.Drawn, { hidden }) : plainFrame(Kind.Drawn));
  }

  #input(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const content = bytes.subarray(at, at + PIECE);
      this.#sent += content.length;
      this.#send({ kind: Kind.Input, content });
    }
  }

  /** forget begins to count from scratch, for another connection. It reports whether the server may not have handled everything. */
  #forget(): boolean {
    const lost = this.#handled < this.#sent;
    this.#sent = this.#handled = 0;
    return lost;
  }

  #send(frame: Frame): void {
    this.#link?.send(frame);
  }

  #become(state: State): void {
    this.#state = state;
    this.#on.changed(state);
  }

  #connect(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#watcher);
    this.#link?.close();
    const number = ++this.#linked;
    const current = (): boolean => number === this.#linked;
    this.#forget();
    if (this.#state.is !== "connecting") this.#become({ is: "connecting" });
    if (!current()) return; // closed by the handler
    this.#watch(ANSWER);
    this.#link = this.#o.dial({
      opened: () => {
        if (current()) this.#opened();
      },
      received: (frame) => {
        if (current()) this.#received(frame);
      },
      closed: (why, final) => {
        if (current()) this.#closed(why, final);
      },
    });
  }

  #opened(): void {
    this.#openedAt = performance.now();
    const { readOnly, questions, name } = this.#o;
    this.#send(jsonFrame(Kind.Attach, {
      name: this.#session?.id ?? "", scrollback: "none", ...(this.#size ?? { cols: 0, rows: 0 }),
      client: {
        kind: "page", name, follows: true, paced: true, counts: true, forward: true, questions, read_only: readOnly,
      },
    }));
  }

  /** watch treats the connection as broken if nothing arrives within that time from now. */
  #watch(ms: number): void {
    const since = performance.now();
    clearTimeout(this.#watcher);
    this.#watcher = setTimeout(() => {
      if (this.#heardAt >= since) this.#watch(SILENCE);
      else this.#closed("The server does not answer.", false);
    }, ms);
  }

  #received(frame: Frame): void {
    this.#heardAt = performance.now();
    try {
      this.#handle(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#closed("The server is of another version: reload the page.", false);
    }
  }

  #handle({ kind, content }: Frame): void {
    switch (kind) {
      case Kind.Attached:
        this.#attached(attachedOf(content));
        break;
      case Kind.Resize:
        this.#on.resized(sizeOf(content));
        break;
      case Kind.Output:
        this.#on.draw(content);
        break;
      case Kind.Typed:
        this.#handled = typedOf(content);
        break;
      case Kind.Question:
        this.#on.question(textOf(content));
        break;
      case Kind.Ping:
        this.#send(plainFrame(Kind.Pong));
        break;
      case Kind.Detach: {
        const end = endOf(content);
        if (end.reason === "stopping") this.#closed("The server has stopped.", false);
        else this.#end(end, undefined);
        break;
      }
      case Kind.Failed:
        this.#failed(failureOf(content));
        break;
    }
  }

  #attached(session: Identity): void {
    this.#session = session;
    this.#brokenAt = undefined;
    this.#become({ is: "attached", session });
    if (this.#leads) this.lead();
    const pending = this.#pending;
    this.#pending = [];
    this.#kept = 0;
    for (const bytes of pending) this.#input(bytes);
  }

  #failed(failure: Failure): void {
    if (this.#state.is === "attached" && failure.code !== "session_not_found") this.#on.refused(failure);
    else if (failure.code === BUSY) this.#closed(failure.message, false);
    else this.#end(undefined, failure);
  }

  #end(end: End | undefined, failure: Failure | undefined): void {
    clearTimeout(this.#watcher);
    this.#linked++;
    this.#link?.close();
    this.#link = undefined;
    const unsent = this.kept;
    const lost = this.#forget();
    this.#pending = [];
    this.#kept = 0;
    // Without its program, nobody asks where the rest has gone.
    if (lost && end?.reason !== "exited" && end?.reason !== "removed") this.#on.uncertain();
    if (unsent) this.#on.unsent();
    this.#become({ is: "ended", end, failure });
  }

  #closed(why: string, final: boolean): void {
    clearTimeout(this.#watcher);
    const number = ++this.#linked;
    this.#link?.close();
    this.#link = undefined;
    if (final) {
      this.#end(undefined, { code: "", message: why });
      return;
    }
    const lost = this.#forget();
    const now = performance.now();
    if (this.#openedAt > 0 && now - this.#openedAt >= STEADY) this.#attempts = 0;
    this.#openedAt = 0;
    this.#brokenAt ??= now;
    const most = DELAYS[Math.min(this.#attempts, DELAYS.length - 1)]!;
    this.#attempts++;
    this.#timer = setTimeout(() => this.#connect(), most * (1 - Math.random() / 2));
    this.#become({ is: "waiting", since: this.#brokenAt, why });
    if (lost && number === this.#linked) this.#on.uncertain();
  }
}
