// The values of variables.

export type Scalar = string | number | boolean | null;

/** Value is the value of a variable that is neither a view nor a list. */
export type Value = Scalar | readonly Scalar[];

export function isScalar(raw: unknown): raw is Scalar {
  return raw === null || typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean";
}

/**
 * same compares values; arrays are compared element by element. NaN equals NaN, as on the server
 * (internal/ui/variable/equal.go).
 */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((x, i) => same(x, b[i]));
  }
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}
