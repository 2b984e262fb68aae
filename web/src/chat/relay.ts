// Messages between a view and its server in calls of a tool, which is all that a view can do.
// docs/protocol.md describes the calls; internal/transport/relay is the other side. This file does
// not use the DOM.

import { any, count, flag, list, maybe, object, parse, string, WireError, type Of } from "../data/validate";
import { Forbidden } from "./forbidden";

const VERSION = 1;
const WAIT = 25_000; // milliseconds that the server may hold a poll
const SHORTEST = 1000; // the same, for hosts that give up calls early
const PATIENCE = 120_000; // milliseconds after which a call that the host does not answer has failed
const STEADY = 10_000; // milliseconds that a good connection lasts
const LOSSES = 5; // how many others may follow each other before the person has to ask for another
const PIECE = 128 << 10; // UTF-16 units of a message in one frame
const BATCH = 256 << 10; // the same, in one call
const DELAYS = [0, 250, 500, 1000, 2000, 5000]; // milliseconds between attempts; the last one repeats
const HIDDEN = 45_000; // milliseconds between polls of a view that nobody can see
const GLANCE = 1; // milliseconds that the server may hold those

export type Arguments = Readonly<Record<string, unknown>>;

export interface RelayEvents {
  /** call calls the relay tool and returns the text of its result. It rejects when the host refuses. */
  call(args: Arguments): Promise<string>;
  /** hello returns what the server should know about the view. */
  hello(): Arguments;
  /** fresh returns another token, or undefined when the host does not help. */
  fresh(): Promise<string | undefined>;
  /** opened is called when the server has accepted the view. Earlier connections have ended. */
  opened(): void;
  received(channel: string, message: unknown): void;
  /**
   * lost is called when there is no connection. reason is a sentence for the person. failed means
   * that the view has stopped trying.
   */
  lost(reason: string, failed: boolean): void;
}

type Frame = Partial<Of<typeof frame>> & { readonly c: string };
const frame = object("frame", {
  c: string, // the channel
  m: any, // a message
  p: maybe(string), // or a piece of one
  more: flag,
});

type Reply = Of<typeof reply>;
const reply = object("reply", {
  got: maybe(count, 0),
  first: maybe(count, 0),
  in: maybe(list(frame), []),
  error: maybe(string),
  message: maybe(string, ""),
});

/** Relay keeps a view connected until it is closed. */
export class Relay {
  readonly #events: RelayEvents;
  readonly #attempts: () => number;
  #token: string;
  #view = "";
  #open = false;
  #closed = false;
  #round = 0; // counts connections; what belongs to an earlier one is ignored
  #failures = 0; // of calls, in a row
  #losses = 0; // of connections, none of which was steady
  #opened = -Infinity; // when the present connection began, by the page's clock
  #greeting = false; // the server has not answered the hello
  #wait = WAIT; // how long the server may hold the next poll, in milliseconds
  #out: Frame[] = []; // not yet received by the server; the first has the number #base
  #base = 1;
  #ack = 0; // the number of the last frame from the server
  #sending = 0; // the round whose messages are being sent; a call of an earlier one may never be answered
  #sent: { readonly last: number; received(reply: Reply): void } | undefined; // the call in progress with messages
  #pieces = new Map<string, string>();
  #hidden = false;
  readonly #pauses = new Set<() => void>(); // end the pauses
  #abort: (() => void) | undefined; // gives up the poll in progress

  /** attempts is how many attempts to connect may fail before the person has to ask for another. */
  constructor(token: string, attempts: () => number, events: RelayEvents) {
    this.#attempts = attempts;
    this.#token = token;
    this.#events = events;
  }

  /** start connects. It is also how the person asks for another attempt. */
  start(): void {
    if (this.#open || this.#closed) return;
    this.#failures = this.#losses = 0;
    void this.#connect(++this.#round);
  }

  /** send queues a message, as JSON. It returns false when the server does not know the view. */
  send(channel: string, text: string): boolean {
    if (!this.#open) return false;
    if (text.length <= PIECE) {
      this.#out.push({ c: channel, m: JSON.parse(text) });
    } else {
      for (let at = 0; at < text.length; ) {
        let end = Math.min(at + PIECE, text.length);
        if (end < text.length && isHighSurrogate(text, end - 1)) end--;
        this.#out.push({ c: channel, p: text.slice(at, end), more: end < text.length });
        at = end;
      }
    }
    void this.#flush(this.#round);
    return true;
  }

  /** hidden makes the view poll rarely while nobody can see it. */
  hidden(hidden: boolean): void {
    this.#hidden = hidden;
    if (!hidden) this.#wake();
  }

  /** close says goodbye. It resolves when the server has replied or cannot be reached. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const known = this.#open || this.#greeting;
    this.#open = false;
    this.#round++;
    this.#abort?.();
    this.#wake();
    if (known) await this.#events.call(this.#call({ first: this.#base, out: this.#out, bye: true })).catch(() => {});
  }

  async #connect(round: number): Promise<void> {
    const was = this.#view;
    this.#view = newID();
    this.#out = [];
    this.#base = 1;
    this.#ack = 0;
    this.#pieces.clear();
    while (this.#is(round)) {
      try {
        this.#greeting = true;
        const reply = await this.#try({ token: this.#token, hello: this.#events.hello(), ...(was === "" ? {} : { was }) });
        if (!this.#is(round)) return;
        this.#greeting = false;
        if (reply.error === undefined) break;
        this.#view = newID(); // the server has ended the view, if there was one, and an ID is good for one
        if (reply.error === "version") return this.#stop("This view is of another version of ui-mcp. Ask the agent to show it again.");
        if (reply.error === "token") {
          const token = await this.#events.fresh();
          if (!this.#is(round)) return;
          if (token !== undefined && token !== this.#token) {
            this.#token = token;
            if (++this.#failures < this.#attempts()) continue;
          }
        }
        if (await this.#failed(round, reply.message)) return;
      } catch (error) {
        if (!this.#is(round) || (await this.#failed(round, reasonOf(error)))) return;
      }
    }
    if (!this.#is(round)) return;
    this.#failures = 0;
    this.#opened = performance.now();
    this.#open = true;
    this.#events.opened();
    void this.#poll(round);
  }

  async #poll(round: number): Promise<void> {
    let looked = false; // the server knows that the view is hidden
    while (this.#is(round)) {
      if (this.#hidden && looked) await this.#pause(HIDDEN);
      if (!this.#is(round)) return;
      looked = this.#hidden;
      const begun = performance.now();
      try {
        const given = new Promise<undefined>((resolve) => (this.#abort = () => resolve(undefined)));
        const reply = await Promise.race([this.#try({ ack: this.#ack, wait: this.#hidden ? GLANCE : this.#wait }), given]);
        if (!this.#is(round) || reply === undefined) return;
        if (reply.error !== undefined) return this.#lose(round, reply.message, 0);
        if (this.#sent !== undefined && reply.got >= this.#sent.last) this.#sent.received(reply);
        this.#deliver(round, reply);
        if (this.#is(round)) this.#failures = 0;
      } catch (error) {
        if (!this.#is(round)) return;
        const took = performance.now() - begun;
        if (took >= SHORTEST) this.#wait = Math.max(SHORTEST, Math.floor(Math.min(this.#wait, took) / 2));
        await this.#again(round, error);
      }
    }
  }

  #deliver(round: number, { first, in: frames }: Reply): void {
    for (const [i, frame] of frames.entries()) {
      const number = first + i;
      if (number <= this.#ack) continue; // it has arrived before
      if (number > this.#ack + 1) throw new WireError("messages from the server are missing");
      const message = this.#joined(frame);
      this.#ack = number;
      if (message !== undefined) this.#events.received(frame.c, message);
      if (!this.#is(round)) return;
    }
  }

  /** joined returns the message that a frame completes, or undefined. */
  #joined(frame: Frame): unknown {
    if (frame.p === undefined) return frame.m;
    const text = (this.#pieces.get(frame.c) ?? "") + frame.p;
    if (frame.more === true) {
      this.#pieces.set(frame.c, text);
      return undefined;
    }
    const message: unknown = JSON.parse(text);
    this.#pieces.delete(frame.c);
    return message;
  }

  /** flush sends what is queued, one call at a time. */
  async #flush(round: number): Promise<void> {
    if (this.#sending === round) return;
    this.#sending = round;
    try {
      while (this.#is(round) && this.#out.length > 0) {
        const frames = batch(this.#out);
        try {
          // A host may lose the reply. Those of polls say, too, what the server has received.
          const last = this.#base + frames.length - 1;
          const confirmed = new Promise<Reply>((received) => (this.#sent = { last, received }));
          const reply = await Promise.race([this.#try({ first: this.#base, out: frames, ack: this.#ack }), confirmed]);
          if (!this.#is(round)) return;
          if (reply.error !== undefined) return this.#lose(round, reply.message, 0);
          const received = Math.min(reply.got - this.#base + 1, this.#out.length);
          if (received < 1) throw new WireError("the server takes no messages");
          this.#out.splice(0, received);
          this.#base += received;
          this.#failures = 0;
        } catch (error) {
          if (!this.#is(round)) return;
          await this.#again(round, error);
        }
      }
    } finally {
      if (this.#sending === round) this.#sending = 0;
    }
  }

  /** try makes one call. */
  async #try(args: Arguments): Promise<Reply> {
    const text = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the chat does not answer")), PATIENCE);
      this.#events.call(this.#call(args)).then(resolve, reject).finally(() => clearTimeout(timer));
    });
    return decode(text);
  }

  #call(args: Arguments): Arguments {
    return { v: VERSION, view: this.#view, ...args };
  }

  /** again waits after a call has failed, before the next one. Too many in a row end the connection. */
  #again(round: number, error: unknown): Promise<void> | void {
    if (++this.#failures > 2) return this.#lose(round, reasonOf(error), this.#failures);
    return this.#pause(delay(this.#failures));
  }

  /** lose starts over after the connection has been lost. */
  #lose(round: number, reason: string, failures: number): void {
    if (!this.#is(round)) return;
    this.#open = false;
    this.#failures = failures;
    this.#abort?.();
    // Give up on a server that forgets the view again and again.
    this.#losses = performance.now() - this.#opened < STEADY ? this.#losses + 1 : 1;
    if (this.#losses >= LOSSES) return this.#stop(reason);
    this.#events.lost(reason, false);
    const next = ++this.#round;
    void this.#pause(delay(Math.max(failures, this.#losses - 1))).then(() => {
      if (this.#is(next)) void this.#connect(next);
    });
  }

  /** failed schedules the next attempt to connect. It reports whether there will be no other. */
  async #failed(round: number, reason: string): Promise<boolean> {
    if (++this.#failures >= this.#attempts()) {
      this.#stop(reason);
      return true;
    }
    this.#events.lost(reason, false);
    await this.#pause(delay(this.#failures));
    return !this.#is(round);
  }

  #stop(reason: string): void {
    this.#round++;
    this.#open = false;
    this.#events.lost(reason, true);
  }

  #is(round: number): boolean {
    return round === this.#round && !this.#closed;
  }

  async #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#pauses.add(resolve);
    await promise;
    this.#pauses.delete(resolve);
    clearTimeout(timer);
  }

  #wake(): void {
    for (const end of this.#pauses) end();
  }
}

/** batch returns the first frames that fit into one call. */
function batch(frames: readonly Frame[]): Frame[] {
  let size = 0;
  let n = 0;
  for (const { m, p } of frames) {
    size += p?.length ?? JSON.stringify(m).length;
    if (n > 0 && size > BATCH) break;
    n++;
  }
  return frames.slice(0, n);
}

/** decode parses and validates a reply. It throws a WireError. */
function decode(text: string): Reply {
  const message = parse(text);
  if (message["v"] !== VERSION && message["error"] === undefined) throw new WireError("this is no reply of the relay");
  return reply(message, "reply");
}

function delay(failures: number): number {
  return DELAYS[Math.min(failures, DELAYS.length - 1)] ?? 0;
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00;
}

/** reasonOf returns why a call has failed, for the person. Replies of the server are sentences already. */
function reasonOf(error: unknown): string {
  if (error instanceof Forbidden) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  return `This view cannot reach its server (${reason}). Try again, or open the page in the browser.`;
}

function newID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
