// The values that variables hold.

export type Scalar = string | number | boolean | null;

/** What a variable holds, for the kinds that are neither views nor lists. */
export type Value = Scalar | readonly Scalar[];

export function isScalar(raw: unknown): raw is Scalar {
  return raw === null || typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean";
}

/** same compares values; arrays are the same when their elements are. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((x, i) => x === b[i]);
  }
  return a === b;
}
