// Validation of messages: functions that narrow what JSON.parse returned, or throw a WireError.

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

/** optional returns undefined for null and undefined, and else what check returns. */
export function optional<T>(raw: unknown, what: string, check: (raw: unknown, what: string) => T): T | undefined {
  return raw == null ? undefined : check(raw, what);
}

/** excerpt formats what arrived for an error message. */
export function excerpt(raw: unknown): string {
  const text = (typeof raw === "string" ? raw : JSON.stringify(raw)) ?? "nothing";
  return text.length > 80 ? text.slice(0, 80) + "…" : text;
}
