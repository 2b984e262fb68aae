// The connection that follows all sessions, with a server that is the test.

import type { Api } from "../src/terminals/api";
import { Feed, type FeedEvents } from "../src/terminals/feed";
import type { Session } from "../src/terminals/data/session";
import { Sessions } from "../src/terminals/data/sessions";
import { Clock, equal, settle, testAsync } from "./harness";

interface Request {
  readonly id: number;
  readonly method: string;
  readonly session?: string;
}

/** FakeSocket is a WebSocket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  static last: FakeSocket | undefined;
  readonly readyState = FakeSocket.OPEN;
  readonly sent: Request[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    FakeSocket.last = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Request);
  }

  close(): void {}

  /** requests returns what was sent since the last time, but lists. */
  requests(): string[] {
    return this.sent.splice(0).flatMap(({ id, method, session }) => (session === undefined ? [] : [`${id} ${method} ${session}`]));
  }

  receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

class World {
  readonly feed: Feed;
  entered = 0;
  #known: readonly Session[] = [];

  constructor() {
    const events: FeedEvents = { entered: () => this.entered++, connection: () => {}, screen: () => {}, bell: () => {}, refused: () => {}, changed: (_, listed) => listed && this.follow() };
    this.feed = new Feed({ request: () => Promise.resolve({}), socket: () => Promise.resolve("ws://localhost/") } as unknown as Api, new Sessions(), events);
  }

  get socket(): FakeSocket {
    if (FakeSocket.last === undefined) throw new Error("the feed does not connect");
    return FakeSocket.last;
  }

  /** know makes sessions known, of a state and all in view. */
  know(state: string, ...names: string[]): void {
    this.#known = names.map((name) => ({ name, state }) as Session);
    this.follow();
  }

  /** follow is what the page does each time that it draws. */
  follow(): void {
    this.feed.follow(this.#known, new Set(this.#known.map(({ name }) => name)));
  }

  /** list lets the feed get a list. */
  async list(clock: Clock): Promise<void> {
    this.socket.requests();
    this.feed.refresh();
    await clock.advance(1000);
    const request = this.socket.sent.find(({ method }) => method === "list_sessions");
    if (request === undefined) throw new Error("the feed asks for no list");
    this.socket.sent.length = 0;
    this.socket.receive({ id: request.id, result: { sessions: [] } });
  }
}

function feedTest(name: string, body: (w: World, clock: Clock) => Promise<void>): void {
  testAsync(`feed: ${name}`, async () => {
    const [clock, original] = [new Clock(), globalThis.WebSocket];
    globalThis.WebSocket = FakeSocket as unknown as typeof WebSocket;
    const w = new World();
    try {
      w.feed.start();
      await settle();
      w.socket.onopen?.();
      await body(w, clock);
    } finally {
      w.feed.stop();
      clock.stop();
      globalThis.WebSocket = original;
    }
  });
}

const refuse = (w: World, request: string | undefined): void => w.socket.receive({ id: Number(request?.split(" ")[0]), error: { code: "exhausted", message: "too many" } });

feedTest("a refused subscription is sent again after the next list", async (w, clock) => {
  w.know("running", "a", "b");
  const [first, second] = w.socket.requests();
  equal([first, second].map((request) => request?.replace(/^\d+ /, "")), ["subscribe a", "subscribe b"]);
  refuse(w, second);
  w.follow();
  w.follow();
  equal(w.socket.requests(), [], "before the list");
  await w.list(clock);
  equal(w.socket.requests().map((request) => request.replace(/^\d+ /, "")), ["subscribe b"], "after the list");
  await w.list(clock);
  equal(w.socket.requests(), [], "after another list");
});

feedTest("a lost connection is made again without asking for rights, unless that fails", async (w, clock) => {
  const asked: number[] = [];
  for (const opens of [true, false, true]) {
    w.socket.onclose?.({ code: 1006 });
    await clock.advance(5000);
    if (opens) w.socket.onopen?.();
    asked.push(w.entered);
  }
  equal(asked, [1, 1, 2]);
});

feedTest("a late refusal does not concern the next session of that name", async (w, clock) => {
  w.know("running", "a");
  const [old] = w.socket.requests();
  w.know("running");
  w.know("running", "a");
  const [present] = w.socket.requests();
  equal(present?.endsWith("subscribe a"), true);
  refuse(w, old);
  await w.list(clock);
  equal(w.socket.requests(), []);
});
