// Validation of messages: functions that narrow what JSON.parse returned, or throw a WireError. The
// type of a message follows from its check, so that each member is declared once.

/** Check narrows a part of a message, which errors call what, or throws a WireError. */
export type Check<T> = (raw: unknown, what: string) => T;

/** Of is what a check returns. */
export type Of<C> = C extends Check<infer T> ? T : never;

/** WireError is thrown for a message, or a part of one, that violates the protocol. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** parse parses a message, which must be a JSON object. */
export function parse(text: string): Record<string, unknown> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    throw new WireError(`message is not JSON: ${excerpt(text)}`, { cause });
  }
  return record(raw, "message");
}

export function record(raw: unknown, what: string): Record<string, unknown> {
  if (typeof raw === "object" && raw !== null && !Array.isArray(raw)) {
    return raw as Record<string, unknown>;
  }
  throw new WireError(`${what} must be an object, not ${excerpt(raw)}`);
}

export function array(raw: unknown, what: string): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  throw new WireError(`${what} must be an array, not ${excerpt(raw)}`);
}

export function string(raw: unknown, what: string): string {
  if (typeof raw === "string") return raw;
  throw new WireError(`${what} must be a string, not ${excerpt(raw)}`);
}

/** count accepts whole numbers from 0 on. */
export function count(raw: unknown, what: string): number {
  if (typeof raw === "number" && Number.isSafeInteger(raw) && raw >= 0) return raw;
  throw new WireError(`${what} must be a whole number, not ${excerpt(raw)}`);
}

export function boolean(raw: unknown, what: string): boolean {
  if (typeof raw === "boolean") return raw;
  throw new WireError(`${what} must be true or false, not ${excerpt(raw)}`);
}

/** flag is true for true, and false for anything else. */
export function flag(raw: unknown): boolean {
  return raw === true;
}

/** any accepts everything. */
export function any(raw: unknown): unknown {
  return raw;
}

/** maybe makes a check accept null and undefined, as otherwise. */
export function maybe<T>(check: Check<T>): Check<T | undefined>;
export function maybe<T>(check: Check<T>, otherwise: T): Check<T>;
export function maybe<T>(check: Check<T>, otherwise?: T): Check<T | undefined> {
  return (raw, what) => (raw == null ? otherwise : check(raw, what));
}

/** oneOf accepts some strings. */
export function oneOf<const T extends string>(...names: readonly T[]): Check<T> {
  return (raw, what) => {
    const name = names.find((n) => n === raw);
    if (name === undefined) throw new WireError(`${what} must be one of ${names.join(", ")}, not ${excerpt(raw)}`);
    return name;
  };
}

/** list checks the elements of an array. */
export function list<T>(check: Check<T>): Check<readonly T[]> {
  return (raw, what) => array(raw, what).map((element) => check(element, what));
}

/** object checks the members of an object, which errors call name, and leaves out all others. */
export function object<S extends Readonly<Record<string, Check<unknown>>>>(name: string, members: S): Check<{ readonly [K in keyof S]: Of<S[K]> }> {
  const checks = Object.entries(members).map(([key, check]) => [key, check, `${name}.${key}`] as const);
  return (raw) => {
    const found = record(raw, name);
    return Object.fromEntries(checks.map(([key, check, what]) => [key, check(found[key], what)])) as { readonly [K in keyof S]: Of<S[K]> };
  };
}

/** byType checks a message by what its member type says. */
export function byType<S extends Readonly<Record<string, Check<unknown>>>>(checks: S): (message: Readonly<Record<string, unknown>>) => Of<S[keyof S]> {
  return (message) => {
    const type = message["type"];
    const check = typeof type === "string" && Object.hasOwn(checks, type) ? checks[type] : undefined;
    if (check === undefined) throw new WireError(`unknown message type ${excerpt(type)}`);
    return check(message, "message") as Of<S[keyof S]>;
  };
}

/** excerpt formats what arrived for an error message. */
export function excerpt(raw: unknown): string {
  const text = (typeof raw === "string" ? raw : JSON.stringify(raw)) ?? "nothing";
  return text.length > 80 ? text.slice(0, 80) + "…" : text;
}
