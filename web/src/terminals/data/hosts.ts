// Other servers that the server knows, checked where they come in. Their sessions are HOST/SESSION.

import { isName, past } from "./session";

/** Host is another server. */
export type Host = ReturnType<typeof decodeHosts>[number];

const HEALTH = ["connecting", "healthy", "unavailable", "rejected"] as const;

/**
 * decodeHosts returns the servers of a list that have or may have sessions. A hub that works has
 * none itself, and of a host that is at no hub only its key is known. now is the time in
 * milliseconds.
 */
export function decodeHosts(value: unknown, now: number) {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const { hostname, address, health, reason, latency_ms: latency, last_seen_ms: seen } = (item ?? {}) as Readonly<Record<string, unknown>>;
    const name = [hostname, address].find((text) => typeof text === "string" && text !== "");
    const known = HEALTH.find((h) => h === health);
    if (typeof name !== "string" || known === undefined) return [];
    if (name === address && (known === "healthy" || /^nats:[^/]/.test(name))) return [];
    return [{
      name, // as in the names of its sessions; its address while that is unknown
      health: known,
      reason: typeof reason === "string" ? reason : "", // why it cannot be used
      ...(typeof latency === "number" && { latency }), // milliseconds that it takes to answer
      ...(typeof seen === "number" && { seenAt: now - seen }), // when it last answered, in milliseconds of the clock of this machine
    }];
  });
}

/** hostText says in a few words how far a server is. */
export function hostText({ health, latency, seenAt }: Host, now: number): string {
  switch (health) {
    case "healthy":
      return latency === undefined ? "" : `${latency < 10 ? Math.max(latency, 0.1).toFixed(1) : Math.round(latency)} ms`;
    case "connecting":
      return "connecting…";
    case "unavailable":
      return seenAt === undefined ? "away" : `away, seen ${past(seenAt, now)}`;
    case "rejected":
      return "cannot be used";
  }
}

/** hostOf returns the other server in the name of a session, or "" for one of the server's own. */
export function hostOf(session: string): string {
  const at = session.indexOf("/");
  return at < 0 ? "" : session.slice(0, at);
}

/** shortName returns the name that a session has on its server. */
export function shortName(session: string): string {
  return session.slice(session.indexOf("/") + 1);
}

/** isSession reports whether a session may have that name, here or on another server. */
export function isSession(name: string): boolean {
  const host = hostOf(name);
  return isName(shortName(name)) && (host === "" ? !name.includes("/") : isName(host));
}
