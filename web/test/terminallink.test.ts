import { Channels } from "../src/chat/terminallink";
import { Kind } from "../src/terminal/data/frames";
import type { Client } from "../src/terminal/data/client";
import type { Link } from "../src/terminal/data/link";
import { Paint } from "../src/terminal/paint";
import { Clock, equal, settle, testAsync } from "./harness";

/** World is a terminal in a view whose server is the test. */
class World {
  readonly events: unknown[] = [];
  connected = true;
  readonly channels: Channels;

  constructor() {
    this.channels = new Channels({
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

function linkTest(name: string, body: (w: World) => Promise<void>): void {
  testAsync(`terminallink: ${name}`, () => body(new World()));
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

linkTest("after close, the handler is left alone and nothing is sent", async (w) => {
  const link = await w.dial("a");
  link.send(frame(Kind.Drawn, "1"));
  w.seen();
  link.close();
  w.channels.received("term:1", { k: 4 });
  w.channels.closed("term:1");
  link.send(frame(Kind.Attach));
  equal(w.seen(), []);
});

testAsync("paint: pictures are reported once in a while", async () => {
  const clock = new Clock();
  let drawn = 0;
  const client = { drawn: () => void drawn++, hurry: () => {}, redraw: () => {} } as unknown as Client;
  const paint = new Paint(client, () => {}, 50);
  const after = async (ms: number): Promise<number> => {
    await clock.advance(ms);
    await new Promise(requestAnimationFrame);
    return drawn;
  };
  paint.written();
  equal(await after(0), 1, "the first");
  paint.written();
  equal(await after(49), 1, "too early");
  equal(await after(1), 2, "after 50 ms");
  equal(await after(1000), 2, "again");
  clock.stop();
});
