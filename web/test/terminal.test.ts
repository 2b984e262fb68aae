// The data part of terminals: frames, the client with its reconnections, layout, text and history.

import { mayBeSession, terminalAddress } from "../src/data/terminaladdress";
import { Client, type ClientHandler, type State } from "../src/terminal/data/client";
import { contrast, extended, legible, parseColor, printColor, type RGB } from "../src/terminal/data/colors";
import { fontFor, LEAST_FONT, sizeFor, type Box } from "../src/terminal/data/fit";
import { jsonFrame, Kind, pack, plainFrame, unpack, utf8, type Frame } from "../src/terminal/data/frames";
import { commandsOf, Lines, matchesOf, pageOf, type HistorySource, type Line, type Page } from "../src/terminal/data/lines";
import type { LinkHandler } from "../src/terminal/data/link";
import { addresses, linesOf, linkOf, pasteable } from "../src/terminal/data/text";
import { Clock, equal, random, test, testAsync, throws } from "./harness";

/** World is a client with the other sides of its connections. */
class World {
  readonly log: string[] = [];
  readonly links: { handler: LinkHandler; sent: Frame[]; closed: boolean }[] = [];
  readonly client: Client;

  constructor(readOnly = false) {
    const handler: ClientHandler = {
      changed: (state) => this.log.push(describe(state)),
      resized: ({ cols, rows }) => this.log.push(`${cols}x${rows}`),
      draw: (bytes) => this.log.push(`draw ${new TextDecoder().decode(bytes)}`),
      uncertain: () => this.log.push("uncertain"),
      unsent: () => this.log.push("unsent"),
      refused: ({ code }) => this.log.push(`refused ${code}`),
      question: (text) => this.log.push(`question ${text}`),
    };
    this.client = new Client({
      readOnly, questions: false, name: "",
      dial: (to) => {
        const link = { handler: to, sent: [] as Frame[], closed: false };
        this.links.push(link);
        return {
          send: (frame) => {
            if (!link.closed) link.sent.push(frame);
          },
          close: () => {
            link.closed = true;
          },
        };
      },
    }, handler);
    this.client.start();
  }

  get link(): World["links"][number] {
    return this.links.at(-1)!;
  }

  /** attach lets the present connection succeed. */
  attach(): void {
    this.link.handler.opened();
    this.receive(jsonFrame(Kind.Attached, { name: "a", id: "@1", client: "page-1" }));
  }

  receive(frame: Frame): void {
    this.link.handler.received(frame);
  }

  /** sent returns the frames since the last call, as text. */
  sent(): string {
    return this.link.sent.splice(0).map(({ kind, content }) => `${kind.toString(16)} ${new TextDecoder().decode(content)}`.trim()).join("; ");
  }

  events(): string {
    return this.log.splice(0).join("; ");
  }
}

let clock: Clock; // of the present test

/** clientTest runs a test of clients with a clock of its own. */
function clientTest(name: string, body: () => void): void {
  test(name, () => {
    clock = new Clock();
    const { random } = Math;
    Math.random = () => 0;
    try {
      body();
    } finally {
      clock.stop();
      Math.random = random;
    }
  });
}

function describe(state: State): string {
  switch (state.is) {
    case "attached":
      return `attached ${state.session.name}`;
    case "waiting":
      return `waiting ${state.why}`.trim();
    case "ended":
      return `ended ${state.end?.reason ?? state.failure?.code ?? ""}`.trim();
    default:
      return state.is;
  }
}

test("terminal: frames are packed and unpacked", () => {
  for (const frame of [plainFrame(Kind.Ping), { kind: Kind.Input, content: utf8("ä\x00") }, { kind: 255, content: new Uint8Array(3) }]) {
    equal(unpack(pack(frame).buffer), frame);
  }
});

clientTest("terminal: a client attaches, draws and types", () => {
  const w = new World();
  w.client.resize({ cols: 80, rows: 24 });
  equal(w.sent(), "", "before the connection");
  w.link.handler.opened();
  const request = JSON.parse(w.sent().slice(2)) as Record<string, unknown>;
  equal([request["cols"], request["rows"], request["name"]], [80, 24, ""]);
  w.receive(jsonFrame(Kind.Attached, { name: "a", id: "@1", client: "page-1" }));
  w.receive(jsonFrame(Kind.Resize, { cols: 3, rows: 2 }));
  w.receive({ kind: Kind.Output, content: utf8("x") });
  w.client.drawn(false);
  w.client.drawn(true);
  w.client.type(utf8("y"));
  w.client.lead();
  w.client.resize({ cols: 80, rows: 24 }); // the same
  w.client.resize({ cols: 81, rows: 24 });
  w.receive(plainFrame(Kind.Ping));
  w.receive({ kind: 0x7f, content: new Uint8Array() }); // of a newer server
  equal(w.sent(), `1a; 1a {"hidden":true}; 11 y; 1d; 6 {"cols":81,"rows":24}; 15`);
  equal(w.events(), "attached a; 3x2; draw x");
});

clientTest("terminal: a client that is to lead does so when it is attached and has a size", () => {
  for (const sizeFirst of [false, true]) {
    const w = new World();
    w.client.lead();
    if (sizeFirst) w.client.resize({ cols: 80, rows: 24 });
    w.attach();
    if (!sizeFirst) {
      equal(w.sent().split("; ").slice(1), [], "without a size");
      w.client.resize({ cols: 80, rows: 24 });
      equal(w.sent(), `6 {"cols":80,"rows":24}; 1d`);
    } else {
      equal(w.sent().split("; ").slice(1), ["1d"]);
    }
    w.client.resize({ cols: 81, rows: 24 });
    equal(w.sent(), `6 {"cols":81,"rows":24}`, "once");
  }
});

clientTest("terminal: a large paste goes in pieces", () => {
  const w = new World();
  w.attach();
  w.sent();
  w.client.type(new Uint8Array(100_000));
  equal(w.link.sent.map(({ content }) => content.length), [32768, 32768, 32768, 1696]);
});

clientTest("terminal: what is typed without a connection is sent once, in order", () => {
  const w = new World();
  w.attach();
  w.client.type(utf8("1"));
  w.receive(jsonFrame(Kind.Typed, { bytes: 1 }));
  w.events();
  const old = w.link;
  w.link.handler.closed("", false);
  equal(w.events(), "waiting");
  equal([w.client.type(utf8("2")), w.client.type(utf8("日")), w.client.kept], [true, true, true]);
  clock.pass(200);
  equal(w.links.length, 2);
  old.handler.received(jsonFrame(Kind.Attached, { name: "old", id: "@1", client: "x" }));
  old.handler.closed("", false);
  w.link.handler.opened();
  equal((JSON.parse(w.sent().slice(2)) as { name: string }).name, "@1", "the session to come back to");
  w.receive(jsonFrame(Kind.Attached, { name: "b", id: "@1", client: "page-1" }));
  equal(w.sent(), "11 2; 11 日");
  equal(w.events(), "connecting; attached b");
  equal(w.client.kept, false);
});

clientTest("terminal: what was on the way is reported, and not sent again", () => {
  const w = new World();
  w.attach();
  w.client.type(utf8("abc"));
  w.client.type(utf8("日é"));
  w.client.type(utf8("\x1b[1;5A"));
  w.receive(jsonFrame(Kind.Typed, { bytes: 3 }));
  w.events();
  w.link.handler.closed("The server has gone.", false);
  equal(w.events(), "waiting The server has gone.; uncertain");
  clock.pass(200);
  w.attach();
  equal(w.sent().includes("11 "), false);
});

clientTest("terminal: too much typed without a connection is refused", () => {
  const w = new World();
  equal([w.client.type(new Uint8Array(64 << 10)), w.client.type(utf8("x"))], [true, false]);
});

clientTest("terminal: attempts to connect slow down, and hurry on request", () => {
  const w = new World();
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    const n = w.links.length;
    w.link.handler.closed("", false);
    let waited = 0;
    for (; w.links.length === n; waited += 100) clock.pass(100);
    waits.push(waited);
  }
  equal(waits, [200, 500, 1000, 2000, 5000, 10000, 10000, 10000]);
  w.link.handler.closed("", false);
  const n = w.links.length;
  w.client.hurry();
  equal(w.links.length, n + 1);
  w.attach();
  clock.pass(2000); // a connection that lasts
  w.receive(plainFrame(Kind.Ping));
  w.link.handler.closed("", false);
  clock.pass(200);
  equal(w.links.length, n + 2);
});

clientTest("terminal: a server that is silent is given up", () => {
  const w = new World();
  clock.pass(15_000);
  equal(w.events(), "waiting The server does not answer.");
  clock.pass(200);
  w.attach();
  for (let i = 0; i < 10; i++) {
    clock.pass(30_000);
    w.receive(plainFrame(Kind.Ping));
  }
  equal(w.events(), "connecting; attached a");
  clock.pass(150_000);
  equal(w.events().startsWith("waiting The server does not answer."), true);
});

clientTest("terminal: a probe finds a connection that is dead", () => {
  const w = new World();
  w.attach();
  clock.pass(100);
  w.client.hurry();
  clock.pass(10);
  w.receive(plainFrame(Kind.Pong));
  clock.pass(20_000);
  equal(w.events(), "attached a");
  w.client.hurry();
  clock.pass(5000);
  equal(w.events(), "waiting The server does not answer.");
});

clientTest("terminal: ends are final, but for a server that stops or is busy", () => {
  for (const [frame, want] of [
    [jsonFrame(Kind.Detach, { reason: "exited", code: 3 }), "ended exited"],
    [jsonFrame(Kind.Detach, { reason: "detached", name: "a", code: 0 }), "ended detached"],
    [jsonFrame(Kind.Detach, { reason: "stopping", code: 0 }), "waiting The server has stopped."],
    [jsonFrame(Kind.Failed, { code: "session_not_found", message: "m" }), "ended session_not_found"],
    [jsonFrame(Kind.Failed, { code: "invalid_request", message: "m" }), "refused invalid_request"],
    [jsonFrame(Kind.Failed, { code: "resource_limit_reached", message: "m" }), "refused resource_limit_reached"],
    [{ kind: Kind.Detach, content: utf8("{") }, "waiting The server is of another version: reload the page."],
  ] as const) {
    const w = new World();
    w.attach();
    w.events();
    w.receive(frame);
    equal(w.events(), want);
  }
  const w = new World();
  w.link.handler.opened();
  w.receive(jsonFrame(Kind.Failed, { code: "resource_limit_reached", message: "full" }));
  equal(w.events(), "waiting full");
  clock.pass(200);
  w.link.handler.opened();
  w.receive(jsonFrame(Kind.Failed, { code: "session_ended", message: "m" }));
  equal(w.events(), "connecting; ended session_ended");
  equal(w.client.type(utf8("x")), false);
  w.client.again();
  w.attach();
  equal(w.events(), "connecting; attached a");
  w.link.handler.closed("The token has expired.", true);
  equal(w.events(), "ended");
});

clientTest("terminal: what was typed without a connection is reported if it cannot be sent", () => {
  const w = new World();
  w.attach();
  w.client.type(utf8("ab"));
  w.events();
  w.link.handler.closed("", false);
  equal(w.client.type(utf8("日é")), true);
  equal(w.client.type(new Uint8Array(64 << 10).fill(0x61)), false);
  equal(w.events(), "waiting; uncertain; unsent");
  clock.pass(200);
  w.link.handler.opened();
  w.receive(jsonFrame(Kind.Failed, { code: "session_not_found", message: "m" }));
  equal(w.events(), "connecting; unsent; ended session_not_found");
  w.client.again();
  w.attach();
  equal(w.sent().includes("11 "), false);
  w.client.type(utf8("c"));
  w.events();
  w.link.handler.closed("The token has expired.", true);
  equal(w.events(), "uncertain; ended");
});

clientTest("terminal: what was on the way when the terminal was detached is reported", () => {
  for (const [reason, said] of [["detached", "uncertain; ended detached"], ["exited", "ended exited"], ["removed", "ended removed"]]) {
    const w = new World();
    w.attach();
    w.client.type(utf8("abcde"));
    w.client.type(utf8("fgh"));
    w.receive(jsonFrame(Kind.Typed, { bytes: 5 }));
    w.events();
    w.receive(jsonFrame(Kind.Detach, { reason, name: "a", code: 0 }));
    equal(w.events(), said);
    w.client.again();
    w.attach();
    w.events();
    w.link.handler.closed("", false);
    equal(w.events(), "waiting", "once");
  }
});

clientTest("terminal: a closed client is silent", () => {
  const w = new World();
  w.attach();
  w.events();
  w.sent();
  w.client.close();
  equal(w.sent(), "5");
  w.link.handler.closed("", false);
  clock.pass(100_000);
  equal([w.events(), w.links.length], ["", 1]);
});

clientTest("terminal: a read-only client sends no input", () => {
  const w = new World(true);
  w.attach();
  w.sent();
  equal(w.client.type(utf8("x")), false);
  equal(w.sent(), "");
});

test("terminal: a screen is scaled to fit", () => {
  const cellOf = (font: number): Box => ({ width: Math.floor(font * 0.6), height: Math.ceil(font * 1.2) });
  const next = random(1);
  for (let i = 0; i < 2000; i++) {
    const size = { cols: 1 + next(300), rows: 1 + next(100) };
    const box = { width: 50 + next(2000), height: 50 + next(1500) };
    const font = fontFor(size, box, cellOf, 14);
    const fits = (f: number): boolean => cellOf(f).width * size.cols <= box.width && cellOf(f).height * size.rows <= box.height;
    if (font > LEAST_FONT && !fits(font)) throw new Error(`${JSON.stringify([size, box])} does not fit at ${font}`);
    if (font < 14 && fits(font + 0.5)) throw new Error(`${JSON.stringify([size, box])} fits at more than ${font}`);
    const own = sizeFor(box, cellOf, 14);
    if (own !== undefined) equal(fontFor(own, box, cellOf, 14), 14, "the font of its own size");
  }
  equal(sizeFor({ width: 1e6, height: 1e6 }, cellOf, 14), { cols: 1000, rows: 1000 });
  equal(sizeFor({ width: 10, height: 10 }, cellOf, 14), undefined);
});

test("terminal: only harmless links are opened", () => {
  equal(
    ["https://a.b/c?d#e", "HTTP://A", "mailto:x@y", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "https://user@evil.example", "vscode://x", "", "a b"].map(linkOf),
    ["https://a.b/c?d#e", "http://a/", "mailto:x@y", null, null, null, null, null, null, null].map((x) => x ?? undefined),
  );
});

test("terminal: addresses are found without what is around them", () => {
  const of = (text: string): string => addresses(text).map(({ at, text: a }) => `${at} ${a}`).join(", ");
  equal(of("see https://a.b/c. And (http://d.e/f(g)), then <https://h.i>!"), "4 https://a.b/c, 24 http://d.e/f(g), 48 https://h.i");
  equal(of("ftp://a xhttps:/b https:// mailto:a@b.c…"), "27 mailto:a@b.c");
  equal(of("あhttps://ü.example/ñ?x=1,2"), "1 https://ü.example/ñ?x=1,2");
});

test("terminal: a paste has no control characters", () => {
  equal(pasteable("a\r\nb\rc\n\td\x1b[201~e\x00\x7f\x9bf"), "a\nb\nc\n\td[201~ef");
  equal(["", "a", "a\n", "a\nb", "a\nb\n", "\n"].map(linesOf), [1, 1, 1, 2, 2, 1]);
});

test("terminal: answers about the history are validated", () => {
  const answer = { epoch: 1, lines: [[{ text: "a", fg: { indexed: 1 }, bg: { rgb: { r: 1, g: 2, b: 3 } }, bold: true }], []], total_lines: 12, offset: 3, first: 1003, next: 1005, layout: 4 };
  const { first, oldest, end, layout, lines } = pageOf(answer);
  equal([first, oldest, end, layout, lines.length], [1003, 1000, 1012, 4, 2]);
  const [span] = lines[0]!;
  equal([span!.text, span!.fg, span!.bg, span!.bold, span!.italic], ["a", 1, "rgb(1 2 3)", true, false]);
  equal(matchesOf({ matches: [{ first: 5, text: "x", line: "xy" }] }), [{ line: 5, text: "x" }]);
  equal(
    commandsOf({ commands: [{ prompt: 1, output: 2, end: 3, running: false, exit_code: 1 }, { prompt: 3, end: 3, running: false }] }),
    [{ prompt: 1, output: 2, failed: true }, { prompt: 3, failed: false }],
  );
  for (const bad of [null, {}, { ...answer, lines: [[{}]] }, { ...answer, lines: [[{ text: "a", fg: { rgb: {} } }]] }, { ...answer, first: -1 }]) {
    throws(() => pageOf(bad), "must be");
  }
});

test("text of the history has the contrast that is asked for", () => {
  equal(parseColor("#0a10FF"), [10, 16, 255]);
  equal(parseColor(printColor([1, 22, 255])), [1, 22, 255]);
  throws(() => parseColor("red"), "no colour");
  equal([extended(16), extended(196), extended(231), extended(232), extended(255)].map(printColor),
    ["rgb(0 0 0)", "rgb(255 0 0)", "rgb(255 255 255)", "rgb(8 8 8)", "rgb(238 238 238)"]);
  equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  const next = random(7);
  const any = (): RGB => [0, 0, 0].map(() => next(256)) as unknown as RGB;
  for (let i = 0; i < 2000; i++) {
    const [text, back, least] = [any(), any(), next(2) === 0 ? 4.5 : 7];
    const got = legible(text, back, least);
    // With some backgrounds, neither black nor white has a contrast of 7.
    const most = Math.max(contrast([0, 0, 0], back), contrast([255, 255, 255], back));
    if (contrast(got, back) < Math.min(least, most)) throw new Error(`${printColor(text)} on ${printColor(back)} becomes ${printColor(got)}`);
    if (contrast(text, back) >= least) equal(got, text);
  }
});

testAsync("a history with billions of lines is read at once", async () => {
  const line: Line = [];
  const page = (first: number, lines: number, end: number): Page => ({ first, lines: Array.from({ length: lines }, () => line), oldest: end - 1000, end, layout: 1 });
  let end = 3e9;
  const source: HistorySource = {
    lines: () => Promise.reject(new Error("not asked")), search: () => Promise.resolve([]), commands: () => Promise.resolve([]), output: () => Promise.resolve(""),
    newest: (limit) => Promise.resolve(page(end - limit, limit, end)),
  };
  const lines = new Lines(source, () => {}, () => {});
  await lines.refresh(50);
  end += 3e9;
  await lines.refresh(50);
  equal([lines.oldest, lines.end], [end - 1000, end]);
});

test("terminal: the address of its document", () => {
  const none = { session: "", rows: undefined, cols: undefined, readOnly: false, fit: false, overview: false };
  const here = { protocol: "http:", hostname: "127.0.0.1", port: "8000" };
  equal(["dev", "@4u7", "größe_1.2-x", "x".repeat(64)].map(mayBeSession), [true, true, true, true]);
  equal(["", ".", "..", "a/b", "a b", "a?b", "@", "x".repeat(65)].map(mayBeSession), [false, false, false, false, false, false, false, false]);
  equal(terminalAddress(here, { ...none, session: "größe", fit: true }, "dark"), "http://localhost:8000/terminals/frame/gr%C3%B6%C3%9Fe?fit&palette=dark");
  equal(terminalAddress(here, { ...none, session: "@4u7", readOnly: true, fit: true }), "http://localhost:8000/terminals/frame/%404u7?readonly");
  equal(terminalAddress({ ...here, hostname: "secret.localhost" }, { ...none, session: "dev" }), "http://secret.localhost:8000/terminals/frame/dev");
});
