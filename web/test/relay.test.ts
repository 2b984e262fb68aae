import { Relay, type Arguments } from "../src/chat/relay";
import { Clock, equal, random, settle, testAsync } from "./harness";

/** A Call is one that a view has made, and the test has not answered. */
interface Call {
  readonly args: Arguments;
  answer(reply: object): void;
  refuse(reason: string): void;
}

/** unreachable is what a view says about a call that has failed. */
const unreachable = (reason: string): string => `This view cannot reach its server (${reason}). Try again, or open the page in the browser.`;

/** World is a view whose host is the test. */
class World {
  readonly clock: Clock;
  readonly open: Call[] = []; // oldest first
  readonly events: unknown[] = [];
  tokens: (string | undefined)[] = []; // that reading the document again yields
  readonly relay: Relay;

  constructor(clock: Clock, attempts = 5) {
    this.clock = clock;
    this.relay = new Relay("t1", () => attempts, {
      call: (args) =>
        new Promise((resolve, reject) => {
          const end = (): void => void this.open.splice(this.open.indexOf(call), 1);
          const call = {
            args,
            answer: (reply: object) => {
              end();
              resolve(JSON.stringify({ v: 1, got: 0, ...reply }));
            },
            refuse: (reason: string) => {
              end();
              reject(new Error(reason));
            },
          };
          this.open.push(call);
        }),
      hello: () => ({ host: "test" }),
      fresh: () => Promise.resolve(this.tokens.shift()),
      opened: () => this.events.push("opened"),
      received: (channel, message) => this.events.push([channel, message]),
      lost: (reason, failed) => this.events.push(failed ? `failed: ${reason}` : `lost: ${reason}`),
    });
  }

  /** next returns the oldest call with an argument. There must be one. */
  async next(argument: "hello" | "wait" | "out" | "bye"): Promise<Call> {
    await settle();
    const call = this.open.find(({ args }) => argument in args);
    if (call === undefined) throw new Error(`no call has ${argument}: ${JSON.stringify(this.open.map(({ args }) => args))}`);
    return call;
  }

  /** connect answers the hello, and returns the view's ID. */
  async connect(): Promise<string> {
    const hello = await this.next("hello");
    hello.answer({});
    await settle();
    return String(hello.args["view"]);
  }

  /** seen returns the events since the last time. */
  seen(): unknown[] {
    return this.events.splice(0);
  }
}

function relayTest(name: string, body: (w: World, clock: Clock) => Promise<void>, attempts?: number): void {
  testAsync(`relay: ${name}`, async () => {
    const clock = new Clock();
    const w = new World(clock, attempts);
    try {
      w.relay.start();
      await body(w, clock);
    } finally {
      clock.stop();
    }
  });
}

relayTest("a view says hello, and then polls", async (w) => {
  const hello = await w.next("hello");
  const { view } = hello.args;
  equal(hello.args, { v: 1, view, token: "t1", hello: { host: "test" } });
  equal(/^[\w-]{16,64}$/.test(String(view)), true, "a valid ID");
  equal(w.relay.send("c", "1"), false, "sent before the server knows the view");
  hello.answer({});
  equal((await w.next("wait")).args, { v: 1, view, ack: 0, wait: 25000 });
  equal([w.seen(), w.open.length], [["opened"], 1]);
});

relayTest("messages are received once, in order, and acknowledged by the next poll", async (w) => {
  await w.connect();
  (await w.next("wait")).answer({ first: 1, in: [{ c: "a", m: 1 }, { c: "b", m: { x: 2 } }] });
  const poll = await w.next("wait");
  equal(poll.args["ack"], 2);
  poll.answer({ first: 2, in: [{ c: "b", m: { x: 2 } }, { c: "a", m: null }] }); // the first one is repeated
  equal((await w.next("wait")).args["ack"], 3);
  equal(w.seen(), ["opened", ["a", 1], ["b", { x: 2 }], ["a", null]]);
});

relayTest("messages are sent in one call at a time", async (w) => {
  await w.connect();
  w.relay.send("c", "1");
  const call = await w.next("out");
  w.relay.send("c", "2");
  w.relay.send("d", "3");
  equal(w.open.filter(({ args }) => "out" in args).length, 1, "calls");
  call.answer({ got: 1 });
  const { first, out } = (await w.next("out")).args;
  equal([call.args["first"], call.args["out"], first, out], [1, [{ c: "c", m: 1 }], 2, [{ c: "c", m: 2 }, { c: "d", m: 3 }]]);
});

relayTest("what the server has not received is sent again", async (w, clock) => {
  await w.connect();
  for (const text of ["1", "2", "3"]) w.relay.send("c", text);
  (await w.next("out")).refuse("the network");
  await clock.advance(249);
  equal(w.open.some(({ args }) => "out" in args), false, "repeated at once");
  await clock.advance(1);
  const again = await w.next("out");
  equal([again.args["first"], again.args["out"]], [1, [{ c: "c", m: 1 }, { c: "c", m: 2 }, { c: "c", m: 3 }]]);
  again.answer({ got: 2 });
  const rest = await w.next("out");
  equal([rest.args["first"], rest.args["out"]], [3, [{ c: "c", m: 3 }]]);
  rest.answer({ got: 3 });
  await settle();
  equal([w.open.length, w.seen()], [1, ["opened"]]);
});

relayTest("a lost reply holds nothing up when a poll says what the server has received", async (w) => {
  await w.connect();
  w.relay.send("c", "1");
  await w.next("out"); // whose reply never comes
  w.relay.send("c", "2");
  const poll = await w.next("wait");
  poll.answer({ got: 1, first: 1, in: [{ c: "a", m: 1 }] });
  await settle();
  const sent = w.open.filter(({ args }) => "out" in args);
  equal([sent.length, sent[1]?.args["first"], sent[1]?.args["out"]], [2, 2, [{ c: "c", m: 2 }]]);
  (await w.next("wait")).answer({ got: 1, first: 2, in: [{ c: "a", m: 2 }] }); // which says nothing about the second
  sent[0]?.answer({ got: 1 }); // late
  await settle();
  equal(w.open.filter(({ args }) => "out" in args).length, 1, "calls");
  sent[1]?.answer({ got: 2 });
  await settle();
  equal([w.open.length, w.seen()], [1, ["opened", ["a", 1], ["a", 2]]]);
});

relayTest("an ID is for one view", async (w, clock) => {
  const first = await w.next("hello");
  first.refuse("the network"); // the server may have got it
  await clock.advance(250);
  const second = await w.next("hello");
  equal(second.args["view"], first.args["view"], "the ID of a repeated hello");
  second.answer({ error: "unknown_view", message: "This view has ended." });
  await clock.advance(500);
  const third = await w.next("hello");
  equal(third.args["view"] === first.args["view"], false, "the ID of an ended view is used again");
  third.answer({});
  await settle();
  equal(w.seen().at(-1), "opened");
});

relayTest("a server that takes no messages is not asked without end", async (w, clock) => {
  await w.connect();
  w.relay.send("c", "1");
  for (const pause of [250, 500, 0]) {
    (await w.next("out")).answer({ got: 0 });
    await clock.advance(pause);
  }
  equal(w.seen(), ["opened", `lost: ${unreachable("the server takes no messages")}`]);
});

relayTest("long messages are sent in pieces that split no character", async (w) => {
  await w.connect();
  const long = JSON.stringify("😀".repeat(100_000)); // an odd unit comes first
  w.relay.send("c", long);
  w.relay.send("d", "1");
  const pieces: string[] = [];
  let got = 0;
  for (let more = true; more; ) {
    const call = await w.next("out");
    const out = call.args["out"] as { c: string; p?: string; m?: unknown; more?: boolean }[];
    equal(call.args["first"], got + 1);
    equal(out.reduce((sum, { p }) => sum + (p ?? "").length, 0) <= 256 << 10, true, "a call is small");
    for (const { c, p, more: further } of out) {
      if (c === "d") more = false;
      else pieces.push(p ?? "");
      equal(p !== undefined && /\p{Surrogate}/u.test(p), false, "a split character");
      equal(further ?? false, c === "c" && pieces.join("").length < long.length, "more");
    }
    got += out.length;
    call.answer({ got });
  }
  equal([pieces.length, pieces.join("") === long], [2, true]);
});

relayTest("pieces of messages on several channels alternate", async (w) => {
  await w.connect();
  (await w.next("wait")).answer({ first: 1, in: [{ c: "a", p: '{"x":"', more: true }, { c: "b", p: "[1", more: true }] });
  (await w.next("wait")).answer({ first: 3, in: [{ c: "c", m: 0 }, { c: "a", p: 'ä😀"}' }, { c: "b", p: ",2]" }] });
  await settle();
  equal(w.seen(), ["opened", ["c", 0], ["a", { x: "ä😀" }], ["b", [1, 2]]]);
});

relayTest("broken messages end the connection", async (w, clock) => {
  await w.connect();
  w.seen();
  const broken = [{ c: "a", p: "{", more: true }, { c: "a", p: "{" }];
  for (const pause of [250, 500, 1000]) {
    (await w.next("wait")).answer({ first: 1, in: broken });
    await clock.advance(pause);
  }
  equal(String(w.seen()[0]).startsWith("lost: "), true);
  const next = await w.connect();
  (await w.next("wait")).answer({ first: 1, in: [{ c: "a", p: "1" }] }); // nothing is left of the earlier pieces
  await settle();
  equal([w.seen(), next !== ""], [["opened", ["a", 1]], true]);
});

relayTest("garbage and missing messages count as failed calls", async (w, clock) => {
  await w.connect();
  for (const [pause, reply] of [[250, { v: 2 }], [500, { in: 1 }], [1000, { first: 2, in: [{ c: "a", m: 1 }] }]] as const) {
    (await w.next("wait")).answer(reply);
    await clock.advance(pause);
  }
  equal(w.seen(), ["opened", `lost: ${unreachable("messages from the server are missing")}`]);
  await w.next("hello");
});

relayTest("a view that the server has forgotten says hello under another ID", async (w, clock) => {
  const view = await w.connect();
  w.relay.send("c", "1");
  (await w.next("out")).answer({ error: "unknown_view", message: "say hello" });
  await clock.advance(0);
  const hello = await w.next("hello");
  equal([hello.args["view"] === view, hello.args["was"], w.relay.send("c", "2")], [false, view, false]);
  hello.answer({});
  await settle();
  const polls = w.open.filter(({ args }) => "wait" in args); // the older one is not waited for
  equal(polls.map(({ args }) => args["view"]), [view, hello.args["view"]]);
  w.relay.send("c", "3");
  const { first, out } = (await w.next("out")).args;
  equal([first, out, w.seen()], [1, [{ c: "c", m: 3 }], ["opened", "lost: say hello", "opened"]]);
});

relayTest("a call that is never answered does not hold up those of the next connection", async (w, clock) => {
  await w.connect();
  w.relay.send("c", "1");
  await w.next("out"); // for which the host asks the person, who has left
  (await w.next("wait")).answer({ error: "unknown_view" });
  await clock.advance(0);
  const view = await w.connect();
  w.relay.send("c", "2");
  await settle();
  equal(w.open.filter(({ args }) => args["view"] === view && "out" in args).length, 1);
});

relayTest("a view that is forgotten again and again gives up", async (w, clock) => {
  for (let i = 0; i < 5; i++) {
    await w.connect();
    (await w.next("wait")).answer({ error: "unknown_view", message: "who?" });
    await clock.advance(5000);
  }
  equal([w.open.length, w.seen().at(-1)], [0, "failed: who?"]);
  w.relay.start(); // the person asks for it
  await w.connect();
  equal(w.seen(), ["opened"]);
});

relayTest("a good connection that is lost counts for nothing", async (w, clock) => {
  for (let i = 0; i < 9; i++) {
    await w.connect();
    await clock.advance(10_000);
    (await w.next("wait")).answer({ error: "unknown_view" });
    await clock.advance(0); // the next hello comes at once
  }
  await w.next("hello");
});

relayTest("a token in use is replaced by that of another document", async (w, clock) => {
  w.tokens = ["t2"];
  (await w.next("hello")).answer({ error: "token", message: "in use" });
  const hello = await w.next("hello");
  equal(hello.args["token"], "t2");
  // The host helps no more.
  for (const pause of [500, 1000, 2000, 5000]) {
    (await w.next("hello")).answer({ error: "token", message: "in use" });
    await clock.advance(pause);
  }
  equal([w.open.length, w.seen().at(-1)], [0, "failed: in use"]);
});

relayTest("a view of another version gives up at once", async (w) => {
  (await w.next("hello")).answer({ error: "version" });
  await settle();
  equal([w.open.length, String(w.seen()[0]).startsWith("failed: This view is of another version")], [0, true]);
});

relayTest("a host that refuses is asked a few times", async (w, clock) => {
  let calls = 0;
  for (; calls < 5; calls++) {
    (await w.next("hello")).refuse("no");
    await clock.advance(5000);
  }
  await clock.advance(600_000);
  equal([w.open.length, w.seen().at(-1)], [0, `failed: ${unreachable("no")}`]);
});

relayTest("a host that offers no tools is asked once", async (w, clock) => {
  (await w.next("hello")).refuse("no");
  await clock.advance(600_000);
  equal([w.open.length, w.seen()], [0, [`failed: ${unreachable("no")}`]]);
}, 1);

relayTest("a host that answers nothing is given up", async (w, clock) => {
  await clock.advance(900_000);
  equal([w.open.length, w.seen().at(-1)], [5, `failed: ${unreachable("the chat does not answer")}`]);
});

relayTest("three failed polls end a connection, one or two do not", async (w, clock) => {
  await w.connect();
  (await w.next("wait")).refuse("a");
  await clock.advance(250);
  (await w.next("wait")).refuse("b");
  await clock.advance(500);
  (await w.next("wait")).answer({});
  for (const pause of [250, 500, 0]) {
    (await w.next("wait")).refuse("c");
    await clock.advance(pause);
  }
  equal(w.seen(), ["opened", `lost: ${unreachable("c")}`]);
});

relayTest("polls are shorter where the host gives them up early", async (w, clock) => {
  await w.connect();
  await clock.advance(10_001);
  (await w.next("wait")).refuse("timeout");
  await clock.advance(250);
  const poll = await w.next("wait");
  equal(poll.args["wait"], 5000, "a whole number");
  await clock.advance(5000);
  poll.answer({});
  equal([(await w.next("wait")).args["wait"], w.seen()], [5000, ["opened"]]);
});

relayTest("a hidden view looks rarely, and again as soon as it is visible", async (w, clock) => {
  await w.connect();
  w.relay.hidden(true);
  (await w.next("wait")).answer({});
  const first = await w.next("wait"); // by which the server knows
  equal(first.args["wait"], 1);
  first.answer({});
  await clock.advance(44_999);
  equal(w.open.length, 0);
  await clock.advance(1);
  const glance = await w.next("wait");
  equal(glance.args["wait"], 1);
  glance.answer({ first: 1, in: [{ c: "a", m: 1 }] });
  await clock.advance(100);
  equal([w.open.length, w.seen()], [0, ["opened", ["a", 1]]]);
  w.relay.hidden(false);
  equal((await w.next("wait")).args["wait"], 25_000);
});

relayTest("a view says goodbye, with what it has not sent", async (w, clock) => {
  const view = await w.connect();
  w.relay.send("c", "1");
  await w.next("out");
  let closed = 0;
  void w.relay.close().then(() => closed++);
  void w.relay.close();
  const bye = await w.next("bye");
  equal([bye.args, closed], [{ v: 1, view, first: 1, out: [{ c: "c", m: 1 }], bye: true }, 0]);
  bye.answer({ got: 1 });
  await settle();
  equal([closed, w.relay.send("c", "2")], [1, false]);
  for (const call of [...w.open]) call.answer({ got: 1, first: 1, in: [{ c: "late", m: 1 }] });
  await clock.advance(600_000);
  w.relay.start();
  await settle();
  equal([w.open.length, w.seen()], [0, ["opened"]]);
});

relayTest("a view that is closed before the server has answered says goodbye, too", async (w, clock) => {
  const hello = await w.next("hello");
  void w.relay.close();
  equal((await w.next("bye")).args["view"], hello.args["view"]);
  hello.answer({});
  await clock.advance(60_000);
  equal([w.open.length, w.seen()], [1, []]);
});

relayTest("a view that has given up says no goodbye", async (w, clock) => {
  (await w.next("hello")).answer({ error: "version" });
  await settle();
  let closed = false;
  void w.relay.close().then(() => (closed = true));
  await clock.advance(60_000);
  equal([closed, w.open.length], [true, 0]);
});

/** Server is the other side, as internal/transport/relay: each message arrives once, in order. */
class Server {
  got = 0;
  readonly received: string[] = [];
  readonly queue: { c: string; p?: string; m?: unknown; more?: boolean }[] = [];
  base = 1;
  readonly #pieces = new Map<string, string>();

  send(channel: string, text: string, pieces: number): void {
    const size = Math.ceil(text.length / pieces);
    if (pieces === 1) return void this.queue.push({ c: channel, m: JSON.parse(text) });
    for (let at = 0; at < text.length; at += size) this.queue.push({ c: channel, p: text.slice(at, at + size), more: at + size < text.length });
  }

  handle(args: Arguments, most: number): object {
    const first = Number(args["first"] ?? 1);
    const out = (args["out"] ?? []) as { c: string; p?: string; m?: unknown; more?: boolean }[];
    if (first > this.got + 1) throw new Error("messages are missing");
    for (const { c, p, m, more } of out.slice(this.got + 1 - first)) {
      this.got++;
      const text = (this.#pieces.get(c) ?? "") + (p ?? JSON.stringify(m));
      this.#pieces.set(c, text);
      if (more === true) continue;
      this.#pieces.delete(c);
      this.received.push(c + text);
    }
    const ack = Number(args["ack"] ?? 0);
    this.base += this.queue.splice(0, Math.max(0, ack - this.base + 1)).length;
    return { got: this.got, ...("wait" in args && this.queue.length > 0 ? { first: this.base, in: this.queue.slice(0, most) } : {}) };
  }
}

const LOSSY = 150; // steps of the line; then it is a good one

for (let seed = 1; seed <= 8; seed++) {
  relayTest(`nothing is lost, doubled or out of order on a bad line, ${seed}`, async (w, clock) => {
    const pick = random(seed);
    await w.connect();
    const server = new Server();
    const [sent, wanted]: [string[], string[]] = [[], []];
    let lossy = true;
    for (let step = 0; step < LOSSY || sent.length !== server.received.length || wanted.length !== w.events.length - 1; step++) {
      if (step > 2000) throw new Error(`messages are missing: ${JSON.stringify([sent.length, server.received.length, wanted.length, w.events])}`);
      lossy = step < LOSSY;
      if (lossy && pick(3) === 0) {
        const [channel, text] = ["ab"[pick(2)] ?? "", JSON.stringify(`${step}`.repeat(1 + pick(pick(10) === 0 ? 100_000 : 10)))];
        w.relay.send(channel, text);
        sent.push(channel + text);
      }
      if (lossy && pick(3) === 0) {
        const [channel, text] = ["ab"[pick(2)] ?? "", JSON.stringify("x".repeat(10 + pick(10)) + step)];
        server.send(channel, text, 1 + pick(3));
        wanted.push(JSON.stringify([channel, JSON.parse(text)]));
      }
      await settle();
      // A host answers calls in any order. The line loses calls and replies, never three in a row.
      const call = w.open[pick(w.open.length)];
      if (call !== undefined && !(lossy && pick(2) === 0)) {
        const fate = lossy ? pick(8) : 7;
        const reply = fate === 0 ? {} : server.handle(call.args, 1 + pick(4));
        if (fate < 2 && w.open.length > 0) {
          call.refuse("the line");
          await clock.advance(1000);
          for (const other of [...w.open]) other.answer(server.handle(other.args, 1 + pick(4)));
        } else {
          call.answer(reply);
        }
      }
      await clock.advance(10);
    }
    equal([server.received, w.events.slice(1).map((event) => JSON.stringify(event))], [sent, wanted]);
  });
}
