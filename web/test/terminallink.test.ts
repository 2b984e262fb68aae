import { Channels } from "../src/chat/terminallink";
import { Kind } from "../src/terminal/data/frames";
import type { Link } from "../src/terminal/data/link";
import { Clock, equal, settle, testAsync } from "./harness";

/** World is a terminal in a view whose server is the test. */
class World {
  readonly events: unknown[] = [];
  connected = true;
  readonly #clock: Clock;
  readonly channels: Channels;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.channels = new Channels({
      clock: {
        now: () => this.#clock.now,
        later: (ms, f) => {
          const timer = setTimeout(f, ms);
          return () => clearTimeout(timer);
        },
        random: () => 0,
      },
      attach: (channel) => {
        this.events.push(`attach ${channel}`);
        return this.connected;
      },
      send: (channel, text) => this.events.push(`${channel} ${text}`),
    });
  }

  /** dial connects; name begins the events of the connection. */
  async dial(name: string): Promise<Link> {
    const link = this.channels.dial({
      opened: () => this.events.push(`${name} opened`),
      received: ({ kind, content }) => this.events.push(`${name} received ${kind} ${new TextDecoder().decode(content)}`),
      closed: (why, final) => this.events.push(`${name} closed ${JSON.stringify([why, final])}`),
    });
    this.events.push(`${name} dialled`);
    await settle();
    return link;
  }

  /** seen returns the events since the last time. */
  seen(): unknown[] {
    return this.events.splice(0);
  }
}

function linkTest(name: string, body: (w: World, clock: Clock) => Promise<void>): void {
  testAsync(`terminallink: ${name}`, async () => {
    const clock = new Clock();
    try {
      await body(new World(clock), clock);
    } finally {
      clock.stop();
    }
  });
}

const frame = (kind: number, text = ""): { kind: number; content: Uint8Array } => ({ kind, content: new TextEncoder().encode(text) });

linkTest("frames pass in both directions", async (w) => {
  const link = await w.dial("a");
  equal(w.seen(), ["a dialled", "attach term:1", "a opened"]);
  link.send(frame(Kind.Attach, "{}"));
  link.send(frame(Kind.Detach));
  equal(w.channels.received("term:1", { k: Kind.Attached, d: "eyJ4Ijoiw6QifQ==" }), true);
  equal(w.channels.received("term:1", { k: 99 }), true, "without content");
  equal(w.channels.received("page:1", {}), false, "of an app");
  equal(w.seen(), [`term:1 {"k":${Kind.Attach},"d":"e30="}`, `term:1 {"k":${Kind.Detach}}`, `a received ${Kind.Attached} {"x":"ä"}`, "a received 99 "]);
});

linkTest("a later connection has a channel of its own", async (w) => {
  const first = await w.dial("a");
  w.channels.closed("term:1");
  await w.dial("b");
  w.seen();
  first.send(frame(Kind.Attach));
  first.close();
  equal(w.channels.received("term:1", { k: 4 }), true, "of the first connection");
  w.channels.closed("term:1");
  w.channels.received("term:2", { k: 4 });
  equal(w.seen(), ["b received 4 "]);
  w.channels.closed(); // the connection to the server
  w.channels.closed();
  equal(w.seen(), ['b closed ["",false]']);
});

linkTest("without a connection to the server, dialling fails, after it has returned", async (w) => {
  w.connected = false;
  await w.dial("a");
  equal(w.seen(), ["a dialled", "attach term:1", 'a closed ["",false]']);
});

linkTest("after close, the handler is left alone and nothing is sent", async (w, clock) => {
  const link = await w.dial("a");
  link.send(frame(Kind.Drawn, "1"));
  link.send(frame(Kind.Drawn, "2")); // held
  w.seen();
  link.close();
  w.channels.received("term:1", { k: 4 });
  w.channels.closed("term:1");
  link.send(frame(Kind.Attach));
  await clock.advance(1000);
  equal(w.seen(), []);
});

linkTest("pictures are reported at most 20 times a second, and with what is typed", async (w, clock) => {
  const link = await w.dial("a");
  w.seen();
  const drawn = (n: number): string => `term:1 {"k":${Kind.Drawn},"d":"${btoa(String(n))}"}`;
  link.send(frame(Kind.Drawn, "1"));
  equal(w.seen(), [drawn(1)], "the first");
  link.send(frame(Kind.Drawn, "2"));
  await clock.advance(49);
  link.send(frame(Kind.Drawn, "3"));
  equal(w.seen(), [], "too early");
  await clock.advance(1);
  equal(w.seen(), [drawn(2), drawn(3)], "after 50 ms");
  await clock.advance(1000);
  link.send(frame(Kind.Drawn, "4"));
  link.send(frame(Kind.Drawn, "5"));
  link.send(frame(Kind.Typed, "x"));
  equal(w.seen(), [drawn(4), drawn(5), `term:1 {"k":${Kind.Typed},"d":"eA=="}`], "with a key");
  await clock.advance(1000);
  equal(w.seen(), [], "again");
});
