// Sessions of other servers in the list of the page of terminals.

import { decodeHosts, type Host, hostText, isSession } from "../src/terminals/data/hosts";
import { parse, print } from "../src/terminals/data/layout";
import { printRoute, readRoute } from "../src/terminals/data/route";
import { decodeSessions, type Session } from "../src/terminals/data/session";
import { inOrder, Sessions } from "../src/terminals/data/sessions";
import { equal, test } from "./harness";

function listed(...sessions: readonly Readonly<Record<string, unknown>>[]): Session[] {
  return decodeSessions(sessions.map((s) => ({ id: `@${String(s["name"])}`, state: "running", ...s })), 100_000);
}

const HOSTS: readonly Host[] = [{ name: "build1", health: "healthy", reason: "", latency: 12 }, { name: "build2", health: "unavailable", reason: "no route" }, { name: "build3", health: "connecting", reason: "" }];

test("hosts: what the server says of them is checked", () => {
  const hosts = decodeHosts([
    { hostname: "build1", address: "ssh://build1", health: "healthy", latency_ms: 0.42 }, { hostname: "build2", address: "ssh://build2", health: "unavailable", reason: "no route", last_seen_ms: 180_000 },
    { address: "ssh://build3", health: "connecting" }, { hostname: "x", health: "well" }, { health: "healthy" }, null, 5,
  ], 1_000_000);
  equal(hosts.map(({ name, health }) => `${name} ${health}`), ["build1 healthy", "build2 unavailable", "ssh://build3 connecting"]);
  equal(hosts.map((host) => hostText(host, 1_000_000)), ["0.4 ms", "away, seen 3 min ago", "connecting…"]);
  equal(decodeHosts({ error: 1 }, 0), []);
});

test("hosts: sessions are listed by server, with those that need the person on top", () => {
  const all = new Sessions();
  all.hosts = HOSTS;
  all.replace(listed(
    { name: "a" }, { name: "done", state: "ended" }, { name: "build1/work" }, { name: "build1/asks", state: "secret" }, { name: "build1/done", state: "ended", exit: { code: 0 } },
    { name: "build2/old", state: "line", last_known_ms: 5000 }, { name: "new/one" },
  ), 100_000);
  const { calling, running, elsewhere, ended } = all.groups();
  const names = (entries: readonly { readonly session: Session }[]): string[] => entries.map(({ session }) => session.name);
  equal([calling, running, ended].map(names), [["build1/asks"], ["a"], ["done"]]);
  equal(elsewhere.map(({ host, entries }) => [host.name, names(entries)]), [["build1", ["build1/work", "build1/done"]], ["build2", ["build2/old"]], ["build3", []], ["new", ["new/one"]]]);
  equal(names(inOrder(all.groups())), ["build1/asks", "a", "build1/work", "build1/done", "build2/old", "new/one", "done"]);
  equal(all.groups("work").elsewhere.map(({ host }) => host.name), ["build1"], "a search leaves out servers without a match");
  equal(all.calls(), 1, "nobody can answer a session whose server is away");
});

test("hosts: a session needs the person as before when its server is back", () => {
  const all = new Sessions();
  const calls: string[] = [];
  all.onCall = ({ name }) => calls.push(name);
  all.replace(listed({ name: "build1/asks", state: "line" }), 1000);
  all.replace(listed({ name: "build1/asks", state: "line", last_known_ms: 2000 }), 2000);
  equal([calls, all.call("build1/asks")], [["build1/asks"], undefined]);
  all.replace(listed({ name: "build1/asks", state: "line" }), 3000);
  equal([calls.length, all.call("build1/asks")?.need, all.call("build1/asks")?.at], [1, "line", 1000], "it is not new");
  all.dismiss("build1/asks");
  all.replace(listed({ name: "build1/asks", state: "line", last_known_ms: 2000 }), 4000);
  all.replace(listed({ name: "build1/asks", state: "line" }), 5000);
  equal(all.call("build1/asks"), undefined, "the person has put it away");
  all.replace(listed({ name: "build1/asks", state: "line", last_known_ms: 2000 }), 6000);
  all.replace(listed({ name: "build1/asks", state: "ended", exit: { code: 3 } }), 7000);
  equal([calls.length, all.call("build1/asks")?.text], [2, "ended with status 3"], "that is new");
});

test("hosts: what has failed has done so when it was last heard of", () => {
  const all = new Sessions();
  all.replace(listed(
    { name: "build1/failed", state: "ended", exit: { code: 1 }, last_activity_ms: 60_000 }, { name: "build2/failed", state: "ended", exit: { code: 1 }, last_activity_ms: 20_000, last_known_ms: 30_000 },
  ), 100_000);
  equal([all.call("build1/failed")?.at, all.call("build2/failed")], [40_000, undefined]);
  all.replace(listed({ name: "build1/failed", state: "ended", exit: { code: 1 } }, { name: "build2/failed", state: "ended", exit: { code: 1 }, last_activity_ms: 80_000 }), 130_000);
  equal([all.call("build1/failed")?.at, all.call("build2/failed")?.at], [40_000, 50_000]);
});

test("hosts: hubs that work, and hosts that are at none, have no sessions", () => {
  const hosts = decodeHosts([
    { address: "nats://hub:4222", health: "healthy" }, { address: "nats://other:4222", health: "rejected", reason: "not accepted" },
    { address: "nats:UAKEY", health: "unavailable" }, { hostname: "b", address: "nats://hub:4222/UAKEY", health: "healthy" },
  ], 0);
  equal(hosts.map(({ name }) => name), ["nats://other:4222", "b"]);
});

test("hosts: without any, the list is as it was", () => {
  const all = new Sessions();
  all.replace(listed({ name: "a" }), 0);
  equal(all.groups().elsewhere, []);
});

test("hosts: sessions have addresses, alone and in panes", () => {
  const base = "http://localhost:8080/p/";
  equal(readRoute(`${base}s/build1%2Fwork`, base).session, "build1/work");
  equal(readRoute(`${base}s/build1/work`, base).session, "build1/work", "as a proxy may pass it on");
  for (const wrong of ["s/build1%2F", "s/%2Fwork", "s/a%2Fb%2Fc", "s/a/b/c", "s/..%2Fwork", "s/build1%2F..", "s//"]) equal(readRoute(base + wrong, base), {}, wrong);
  equal(printRoute("build1/work", "build1/work"), "s/build1%2Fwork");
  const layout = parse("h60(build1/work,v50(a,build2/a))");
  equal(layout === undefined ? "" : print(layout), "h60(build1/work,v50(a,build2/a))");
  equal(readRoute(new URL(printRoute("build2/a", layout), base).href, base), { session: "build2/a", layout });
  for (const wrong of ["h50(a/b/c,d)", "h50(/a,b)", "h50(a/,b)"]) equal(parse(wrong), undefined, wrong);
  equal(["a", "a/b", "a/", "/a", "a/b/c", "", "a b/c"].map(isSession), [true, true, false, false, false, false, false]);
});
