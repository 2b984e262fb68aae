// The data part of the page of terminals.

import { areas, close, has, type Layout, neighbour, parse, print, rename, replace, resize, sessions, split } from "../src/terminals/data/layout";
import { printRoute, readRoute, shareLink, takeToken } from "../src/terminals/data/route";
import { rank } from "../src/terminals/data/rank";
import { NotARecording, readCast } from "../src/terminals/data/cast";
import { bytes, clock, Playback } from "../src/terminals/data/playback";
import { matches, spell } from "../src/terminals/data/keys";
import { preview } from "../src/terminals/data/preview";
import { DEFAULTS, readSettings } from "../src/terminals/data/settings";
import { BUSY, Sessions } from "../src/terminals/data/sessions";
import { ago, decodeProgress, decodeSession, decodeSessions, duration, isName, progressText, type Session, type State, stateText } from "../src/terminals/data/session";
import { equal, random, test, throws } from "./harness";

const LAYOUT = "h60(build,v50(web,logs))";

function parsed(text: string): Layout {
  const layout = parse(text);
  if (layout === undefined) throw new Error(`${text} is no layout`);
  return layout;
}

test("layout: what is printed is parsed to the same", () => {
  for (const text of ["a", LAYOUT, "h10(v90(a,b),v50(c,h33(d,e)))", "h50(h50,v50)", "h50(größe,日本)"]) equal(print(parsed(text)), text);
  const next = random(7);
  for (let round = 0; round < 200; round++) {
    let layout: Layout = "s0";
    for (let i = 1; i <= next(16); i++) layout = split(layout, `s${next(i)}`, next(2) === 0 ? "h" : "v", `s${i}`);
    equal(print(parsed(print(layout))), print(layout));
  }
});

test("layout: malformed text is refused", () => {
  const many = Array.from({ length: 17 }, (_, i) => `s${i}`).reduce((rest, name) => `h50(${name},${rest})`);
  for (const text of ["", "a,b", "h50(a)", "h50(a,b", "h50(a,b))", "x50(a,b)", "h(a,b)", "h500(a,b)", "h50(a,a)", "a b", "h50(a,..)", many, "h50(".repeat(2000)]) {
    equal(parse(text), undefined, text);
  }
});

test("layout: shares are bounded", () => {
  equal(print(parsed("h0(a,b)")), "h10(a,b)");
  equal(print(resize(parsed(LAYOUT), [1], 99)), "h60(build,v90(web,logs))");
  equal(print(resize(parsed(LAYOUT), [], 20)), "h20(build,v50(web,logs))");
});

test("layout: panes are split, closed, replaced and renamed", () => {
  equal(print(split("a", "a", "h", "b")), "h50(a,b)");
  equal(print(split(parsed(LAYOUT), "web", "h", "x")), "h60(build,v50(h50(web,x),logs))");
  equal(print(split(parsed(LAYOUT), "web", "h", "logs")), LAYOUT, "a second pane of a session");
  equal(print(close(parsed(LAYOUT), "web") ?? ""), "h60(build,logs)");
  equal(print(close(parsed(LAYOUT), "build") ?? ""), "v50(web,logs)");
  equal(close("a", "a"), undefined);
  equal(print(replace(parsed(LAYOUT), "web", "x")), "h60(build,v50(x,logs))");
  equal(print(replace(parsed(LAYOUT), "web", "build")), LAYOUT);
  const renamed = (names: Readonly<Record<string, string>>): string => print(rename(parsed(LAYOUT), new Map(Object.entries(names))));
  equal(renamed({ web: "x", other: "y" }), "h60(build,v50(x,logs))");
  equal(renamed({ web: "logs" }), "h60(build,logs)", "renamed to an ended session");
  equal(renamed({ web: "logs", logs: "web" }), "h60(build,v50(logs,web))", "exchanged");
  equal(renamed({ web: "logs", logs: "build", build: "x" }), "h60(x,v50(logs,build))", "each to the next one's");
  equal(sessions(parsed(LAYOUT)), ["build", "web", "logs"]);
  equal(has(parsed(LAYOUT), "logs"), true);
});

test("layout: areas fill the page", () => {
  const { boxes, borders } = areas(parsed(LAYOUT));
  equal(boxes.map(({ session, x, y, width, height }) => [session, x, y, width, height]), [["build", 0, 0, 60, 100], ["web", 60, 0, 40, 50], ["logs", 60, 50, 40, 50]]);
  equal(borders.map(({ path, direction }) => [path, direction]), [[[], "h"], [[1], "v"]]);
});

test("layout: neighbours", () => {
  const layout = parsed(LAYOUT);
  equal([neighbour(layout, "build", "right"), neighbour(layout, "logs", "left"), neighbour(layout, "web", "down"), neighbour(layout, "logs", "up")], ["web", "build", "logs", "web"]);
  equal(neighbour(layout, "build", "left"), undefined);
  equal(neighbour(layout, "nobody", "left"), undefined);
});

test("route: addresses", () => {
  const base = "http://localhost:8000/terminals/";
  const read = (rest: string): unknown => {
    const { session, layout } = readRoute(base + rest, base);
    return [session ?? null, layout === undefined ? null : print(layout)];
  };
  equal(read(""), [null, null]);
  equal(read("s/build"), ["build", "build"]);
  equal(read("s/build/"), ["build", "build"]);
  equal(read("s/gr%C3%B6%C3%9Fe"), ["größe", "größe"]);
  equal(read(`s/web?panes=${LAYOUT}`), ["web", LAYOUT]);
  equal(read(`s/other?panes=${LAYOUT}`), ["other", "other"], "a layout without the session");
  equal(read("s/web?panes=h50(web"), ["web", "web"]);
  equal(read("s/%E0"), [null, null]);
  equal(read("ui/any/page"), [null, null]);
  equal(read("s/a%2Fb"), ["a/b", "a/b"], "a session of another server");
  for (const layout of ["a", LAYOUT, "h50(größe,a)"]) {
    const first = sessions(parsed(layout))[0];
    equal(read(printRoute(first, parsed(layout))), [first, layout]);
  }
  equal(printRoute(undefined, undefined), "./");
});

test("route: tokens are in fragments only", () => {
  equal(takeToken("#token=abc"), { token: "abc", rest: "" });
  equal(takeToken("#x=1&token=a%2Bb"), { token: "a+b", rest: "#x=1" });
  equal(takeToken(""), { rest: "" });
  const link = shareLink("http://localhost:8000/t/", "build", "wsh_a+b");
  equal(link, "http://localhost:8000/t/s/build#token=wsh_a%2Bb");
  equal(takeToken(new URL(link).hash).token, "wsh_a+b");
});

test("rank: words find actions", () => {
  const actions = ["Split right", "Split down", "Close pane", "Sign out", "Kill session"];
  const find = (query: string): string[] => rank(query, actions, (a) => a);
  equal(find("split"), ["Split right", "Split down"]);
  equal(find("sess ill"), ["Kill session"]);
  equal(find("ow SPLIT"), ["Split down"]);
  equal(find("kill"), ["Kill session"]);
  equal(find("zzz"), []);
  equal(find(""), actions);
});

test("preview: the lines that say most", () => {
  equal(preview(["$ make", "a", "b", "$ ", "", ""], false), ["a", "b", "$"]);
  equal(preview(["top", "", "cpu", "mem", "rest"], true), ["top", "cpu", "mem"]);
  equal(preview([], false), []);
});

test("settings: missing ones have defaults", () => {
  equal(readSettings(""), DEFAULTS);
  equal(readSettings('{"theme":"dark","previews":false}'), { ...DEFAULTS, theme: "dark", previews: false });
});

function session(name: string, state: State = "running", more: Partial<Session> = {}): Session {
  return { ...decodeSession({ name, id: `@${name}`, command: "sh", state, rows: 24, cols: 80, size_rule: "leader" }, 0)!, ...more };
}

function names(all: Sessions, query = ""): unknown {
  const { calling, running, ended } = all.groups(query);
  return [calling, running, ended].map((list) => list.map(({ session }) => session.name));
}

test("sessions: those that need the person come first, the most urgent on top", () => {
  const all = new Sessions();
  const calls: string[] = [];
  all.onCall = (s, call) => calls.push(`${s.name} ${call.need}`);
  all.replace([session("s10"), session("s9"), session("over", "ended", { exit: { code: 0 } })], 0);
  equal(names(all), [[], ["s9", "s10"], ["over"]]);
  all.apply("session_state_changed", session("s10", "line"), undefined, 1);
  all.apply("session_created", session("sudo", "secret"), undefined, 2);
  all.apply("session_destroyed", session("s9", "ended", { exit: { code: 2 } }), undefined, 3);
  equal(names(all), [["sudo", "s10", "s9"], [], ["over"]]);
  equal(calls, ["s10 line", "sudo secret", "s9 failed"]);
  equal(all.calls(), 3);
  equal(all.nextCall(undefined), "sudo");
  equal(all.nextCall("sudo"), "s10");
  all.apply("session_state_changed", session("sudo", "running"), undefined, 4);
  equal(names(all), [["s10", "s9"], ["sudo"], ["over"]]);
});

test("sessions: equally urgent ones come by how long they have waited", () => {
  const all = new Sessions();
  all.replace([session("a"), session("b")], 0);
  all.apply("session_state_changed", session("b", "line"), undefined, 1);
  all.apply("session_state_changed", session("a", "line"), undefined, 2);
  equal(names(all), [["b", "a"], [], []]);
});

test("sessions: looking withdraws a message, but not a question", () => {
  const all = new Sessions();
  all.replace([session("a"), session("b", "secret")], 0);
  all.bell("a", 1);
  all.notification("a", "Mail", "from Ann", 2);
  equal(all.call("a")?.text, "Mail: from Ann");
  all.bell("a", 3);
  equal(all.call("a")?.need, "notification", "a bell hides no message");
  equal([all.attend("a"), all.attend("a"), all.attend("b")], [true, false, false]);
  all.dismiss("b");
  equal(all.calls(), 0);
  all.apply("session_state_changed", session("b", "running"), undefined, 4);
  all.apply("session_state_changed", session("b", "secret"), undefined, 5);
  equal(all.call("b")?.need, "secret", "it asks again");
});

test("sessions: one that asks for input still does after a moment in which it was busy", () => {
  const all = new Sessions();
  const calls: string[] = [];
  all.onCall = (s, call) => calls.push(`${s.name} ${call.need}`);
  const turn = (state: State, at: number): void => void all.apply("session_state_changed", session("a", state), undefined, at);
  all.replace([session("a", "line")], 0);
  turn("running", 100);
  equal([all.settle(101), all.call("a")?.at], [BUSY - 1, 0]);
  turn("line", 700);
  equal([all.settle(5000) ?? null, all.call("a")?.at], [null, 0], "it asks as before");
  equal(calls, ["a line"], "and is announced once");
  turn("running", 6000);
  equal([all.settle(6000 + BUSY) ?? null, all.call("a") ?? null], [null, null], "it was answered");
  turn("line", 9000);
  equal(calls, ["a line", "a line"], "it asks again");

  all.dismiss("a");
  turn("running", 9500);
  turn("line", 9600);
  equal(all.call("a") ?? null, null, "the person has dismissed that");
  turn("running", 9700);
  turn("prompt", 9800);
  turn("line", 9900);
  equal(all.call("a")?.need, "line", "another question");
  turn("running", 10_000);
  turn("secret", 10_100);
  equal(all.call("a")?.need, "secret");
  turn("running", 10_200);
  equal(all.call("a") ?? null, null, "a secret that was typed is not wanted any more");
  turn("line", 11_000);
  turn("running", 11_100);
  all.notification("a", "", "done", 11_200);
  equal([all.call("a")?.text, all.settle(20_000) ?? null, all.call("a")?.text], ["done", null, "done"], "a message takes the place of an answered question");
});

test("sessions: an agent calls when it asks, and when it is idle", () => {
  const all = new Sessions();
  const calls: string[] = [];
  all.onCall = (_, { need, text }) => calls.push(`${need}: ${text}`);
  const does = (state: string, at: number): void => {
    const agent = decodeSession({ name: "a", id: "@a", agent: { name: "claude", state } }, at)?.agent;
    all.apply("session_state_changed", session("a", "fullscreen", agent === undefined ? {} : { agent }), undefined, at);
  };
  does("working", 0);
  does("asks", 1);
  does("working", 5000);
  equal(all.calls(), 0, "it was answered");
  does("idle", 10_000);
  equal(calls, ["asks: claude asks", "line: claude idle"]);
  does("working", 20_000);
  all.settle(20_000 + BUSY);
  does("dancing", 30_000);
  equal([all.calls(), stateText(all.get("a") ?? session("b"))], [0, "fullscreen"], "what it does is unknown");
});

test("sessions: one that the person is looking at does not call", () => {
  const all = new Sessions();
  all.replace([session("a", "line"), session("b", "line")], 0);
  equal(all.groups("", "a").calling.map((entry) => entry.session.name), ["b"]);
  equal(all.groups("", "a").running.map((entry) => [entry.session.name, entry.call ?? null]), [["a", null]]);
  equal([all.calls("a"), all.calls()], [1, 2]);
});

test("sessions: only long commands call", () => {
  const all = new Sessions();
  all.replace([session("a"), session("b")], 0);
  all.over("a", 0, 9_999, 1);
  all.over("b", 0, undefined, 1);
  equal(all.calls(), 0);
  all.over("a", 1, 65_000, 2);
  all.over("b", 0, 20_000, 2);
  equal([all.call("a")?.text, all.call("b")?.text], ["command failed with status 1 after 1 min 5 s", "command done after 20 s"]);
});

test("sessions: names and calls follow a renamed session", () => {
  const all = new Sessions();
  all.replace([session("a", "line"), session("old", "ended", { exit: { code: 0 } })], 0);
  all.apply("session_renamed", session("old", "line", { id: "@a" }), "a", 1);
  equal(names(all), [["old"], [], []]);
  equal(all.withID("@a")?.name, "old");
  all.apply("session_removed", session("old", "line", { id: "@a" }), undefined, 2);
  equal([all.size, all.withID("@a") ?? null], [0, null]);
});

test("sessions: those renamed while nobody followed them are recognised", () => {
  const all = new Sessions();
  equal([...all.replace([session("a"), session("b"), session("c")], 0)], []);
  all.bell("a", 1);
  all.setProgress("b", { state: "normal", percent: 7 });
  all.bell("c", 1);
  equal([...all.replace([session("b", "running", { id: "@a" }), session("a", "running", { id: "@b" }), session("c", "running", { id: "@new" })], 2)], [["a", "b"], ["b", "a"]]);
  equal([all.call("b")?.need, all.call("a")?.need ?? null, all.progress("a")?.percent], ["bell", null, 7]);
  equal(all.call("c") ?? null, null, "another session of that name");
  equal([...all.apply("session_renamed", session("b", "running", { id: "@a" }), "a", 3)], [], "the list had it");
  equal(all.call("b")?.need, "bell");
  all.apply("session_removed", session("c", "ended", { id: "@c" }), undefined, 4);
  equal(all.withID("@new")?.name, "c", "another session of that name was removed");
});

test("sessions: a list replaces what was known", () => {
  const all = new Sessions();
  all.replace([session("a"), session("b")], 0);
  all.bell("b", 1);
  all.replace([session("b"), session("c")], 2);
  equal(names(all), [["b"], ["c"], []]);
});

test("sessions: search and tags", () => {
  const all = new Sessions();
  all.replace([session("web", "running", { tags: ["app", "prod"], title: "vite" }), session("db", "running", { tags: ["app"], command: "psql" }), session("x")], 0);
  equal(names(all, "VITE"), [[], ["web"], []]);
  equal(names(all, "app psql"), [[], ["db"], []]);
  equal(names(all, "prod"), [[], ["web"], []]);
  equal(all.tags(), ["app", "prod"]);
});

test("session: decoding checks", () => {
  equal(decodeSession({}, 0), undefined);
  equal(decodeSession(null, 0), undefined);
  const got = decodeSession(
    { name: "a", id: "@a", state: "new state", exit: { code: 129, signal: "SIGHUP" }, last_activity_ms: 400, attached: [{ name: "1", kind: "websocket" }, { name: "2", kind: "attach", rows: 24, cols: 80 }], leader: null, tags: ["x", 1] },
    1000,
  );
  equal(got, { name: "a", id: "@a", command: "", title: "", tags: ["x", ""], state: "running", rows: 0, cols: 0, attached: [{ name: "2", kind: "attach", rows: 24, cols: 80 }], sizeRule: "", activeAt: 600, exit: { code: 129, signal: "SIGHUP" } });
  equal(decodeSessions("x", 0), []);
});

test("session: words", () => {
  equal(stateText(session("a", "ended", { exit: { code: 2 } })), "ended 2");
  equal(stateText(session("a", "ended", { exit: { code: 137, signal: "SIGKILL" } })), "ended SIGKILL");
  equal(stateText(session("a", "secret")), "secret");
  equal([ago(0, 0), ago(0, 59_000), ago(0, 61_000), ago(0, 7_200_000), ago(0, 172_800_000), ago(5, 0)], ["now", "59 s", "1 min", "2 h", "2 d", "now"]);
  equal([duration(12), duration(1234), duration(12_345), duration(3_700_000)], ["12 ms", "1.2 s", "12 s", "1 h 1 min"]);
  equal(["a", "größe", "a.b-c_d", "", "..", "a b", "a/b", "x".repeat(65), "ß".repeat(33)].map(isName), [true, true, true, false, false, false, false, false, false]);
});

test("session: progress and recordings", () => {
  equal(decodeProgress("none", 3), undefined);
  equal(decodeProgress("error", 1000), { state: "error", percent: 100 });
  equal(["normal", "error", "indeterminate", "paused"].map((state) => { const p = decodeProgress(state, 41.6); return p === undefined ? "" : progressText(p); }), ["42%", "42% failed", "…", "42% paused"]);
  const got = decodeSession({ name: "a", id: "@a", recording: { id: "x", recording: true, bytes: 12, age_ms: 400 }, attached: [{ name: "p", kind: "page", last_typed_ms: 300 }] }, 1000);
  equal(got?.recording, { id: "x", active: true, bytes: 12, since: 600 });
  equal(got?.attached, [{ name: "p", kind: "page", rows: 0, cols: 0, typedAt: 700 }]);
  equal(decodeSession({ name: "a", id: "@a", recording: { error: "full" } }, 0)?.recording, { id: "", active: false, bytes: 0, since: 0, error: "full" });
});

test("sessions: progress follows a session until it ends", () => {
  const all = new Sessions();
  all.apply("session_created", session("a"), undefined, 0);
  all.setProgress("none", { state: "normal", percent: 1 });
  all.setProgress("a", { state: "normal", percent: 40 });
  all.apply("session_renamed", session("b", "running", { id: "@a" }), "a", 0);
  equal([all.progress("a"), all.progress("b"), all.groups().running[0]?.progress], [undefined, { state: "normal", percent: 40 }, { state: "normal", percent: 40 }]);
  all.apply("session_destroyed", session("b", "ended", { id: "@a" }), undefined, 0);
  equal(all.progress("b"), undefined);
});

const V2 = '{"version":2,"width":80,"height":24,"timestamp":100,"title":"t"}\n[0.5,"o","a"]\n[1.5,"r","100x30"]\n[2,"i","typed"]\n[3,"o","b\\u001b"]\n';

test("cast: both versions", () => {
  const want = [{ at: 500, output: "a" }, { at: 1500, cols: 100, rows: 30 }, { at: 3000, output: "b\x1b" }];
  const v3 = '{"version":3,"term":{"cols":80,"rows":24},"timestamp":100,"title":"t"}\n# remark\n[0.5,"o","a"]\n[1,"r","100x30"]\n\n[0.5,"i","typed"]\n[1,"o","b\\u001b"]\n';
  for (const [version, file] of [[2, V2], [3, v3]] as const) {
    equal(readCast(file), { version, cols: 80, rows: 24, start: 100_000, events: want, length: 3000 }, `version ${version}`);
  }
});

test("cast: times never decrease, and a last line may be cut", () => {
  const { events, length } = readCast(`${V2}[1,"o","late"]\n[4,"o","cu`);
  equal([events.at(-1), length], [{ at: 3000, output: "late" }, 3000]);
  equal(readCast(`${V2}[4,"o","end"]`).length, 4000);
});

test("cast: what is not a recording is refused", () => {
  const read = (text: string) => () => readCast(text);
  throws(read(""), "it is empty");
  throws(read("hello\n"), "not a recording");
  throws(read('{"version":1,"width":80,"height":24}\n'), "recordings of version 1 are not supported");
  for (const size of ['"width":0,"height":24', '"width":80', '"width":8e9,"height":24', '"width":"80","height":24']) throws(read(`{"version":2,${size}}\n`), "how large");
  const header = '{"version":2,"width":80,"height":24}\n';
  for (const line of ["x", "7", "[]", '["1","o","a"]', '[-1,"o","a"]', '[1,"o"]', '{"a":1}']) throws(read(`${header}${line}\n`), "line 2 of the recording is not an event");
  throws(read(`${header}[1,"r","0x5"]\n`), "line 2 of the recording has no size");
});

test("cast: no text breaks the reader", () => {
  const next = random(11);
  const parts = ['{"version":2,"width":80,"height":24}', '{"version":3,"term":{"cols":2,"rows":2}}', '[0.1,"o","x"]', '[1e308,"o","x"]', "[", "]", "\n", "\n", "#", '"', "é", '[1,"r","9x9"]', "null"];
  for (let round = 0; round < 500; round++) {
    let events: ReturnType<typeof readCast>["events"] = [];
    try {
      ({ events } = readCast(Array.from({ length: 12 }, () => parts[next(parts.length)]).join("")));
    } catch (error) {
      if (!(error instanceof NotARecording)) throw error;
    }
    for (let i = 1; i < events.length; i++) equal(events[i]!.at >= events[i - 1]!.at, true, "times in order");
  }
});

function played(...at: number[]): Playback {
  return new Playback(at.map((t) => ({ at: t, output: String(t) })), at.at(-1) ?? 0);
}

function taken(playback: Playback): number[] {
  return playback.take().map(({ at }) => at);
}

test("playback: events are taken when they are due, at a speed", () => {
  const p = played(0, 1000, 2000, 10_000);
  equal(taken(p), [0]);
  p.play(5000);
  p.advance(6100);
  equal([taken(p), p.position, p.over], [[1000], 1100, false]);
  p.setSpeed(4);
  p.advance(6400);
  equal([taken(p), p.position], [[2000], 2300]);
  p.pause();
  p.advance(20_000);
  equal([taken(p), p.position], [[], 2300]);
  p.play(30_000);
  p.advance(60_000);
  equal([taken(p), p.position, p.playing, p.over], [[10_000], 10_000, false, true]);
  equal([p.play(70_000), p.position, taken(p)], [true, 0, [0]], "again from the start");
});

test("playback: seeking backwards starts from the first event", () => {
  const p = played(0, 1000, 2000, 3000);
  equal([p.seek(2500), taken(p)], [false, [0, 1000, 2000]]);
  equal([p.seek(1500), taken(p)], [true, [0, 1000]]);
  equal([p.seek(99_999), taken(p), p.position], [false, [2000, 3000], 3000]);
  equal([p.seek(-5), p.position], [true, 0]);
});

test("playback: long outputs are taken in pieces", () => {
  const p = played(0, 0, 0, 0);
  p.seek(0);
  equal([p.take(2).length, p.behind, p.take(2).length, p.behind], [2, true, 2, false]);
});

test("playback: shortened pauses keep the place", () => {
  const p = played(0, 60_000, 60_500, 120_000);
  equal(p.length, 120_000);
  p.seek(60_200);
  taken(p);
  p.shorten(true);
  equal([p.length, p.position, taken(p)], [2500, 1200, []]);
  p.seek(1500);
  equal(taken(p), [60_500]);
  p.shorten(false);
  equal([p.length, p.position], [120_000, 60_500]);
  p.seek(30_000);
  taken(p);
  p.shorten(true);
  equal([p.position, taken(p)], [1000, [60_000]], "what is left of a pause is left out");
});

test("playback: clocks and sizes", () => {
  equal([clock(0), clock(61_900), clock(61_900, 4_000_000), clock(3_600_000)], ["0:00", "1:01", "0:01:01", "1:00:00"]);
  equal([bytes(12), bytes(4096), bytes(1_500_000), bytes(64 << 20)], ["12 B", "4 KiB", "1.4 MiB", "64 MiB"]);
});

test("keys: how they are written, and what matches", () => {
  equal(["Alt+Shift+Equal", "Ctrl+Shift+P", "Alt+Shift+PageDown", "Alt+Shift+ArrowLeft"].map((keys) => spell(keys, false)), ["Alt+Shift+=", "Ctrl+Shift+P", "Alt+Shift+Page Down", "Alt+Shift+←"]);
  equal(spell("Alt+Shift+Minus", true), "⌥⇧-");
  const stroke = { code: "KeyN", key: "˜", altKey: true, ctrlKey: false, metaKey: false, shiftKey: true };
  equal(matches("Alt+Shift+N", stroke), true, "a letter that Alt changes");
  equal(matches("Alt+Shift+N", { ...stroke, metaKey: true }), false, "with another key");
  equal(matches("Alt+Shift+N", { ...stroke, key: "B" }), false, "another letter at that place");
});
