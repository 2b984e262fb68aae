// The identities of objects in a message.

/** objectsIn returns the objects of all mounts in a part of a message. */
export function objectsIn(raw: unknown, found = new Set<number>()): ReadonlySet<number> {
  if (Array.isArray(raw)) {
    // A mount: no other array has an array third and a number fourth.
    if (raw.length > 3 && Array.isArray(raw[2]) && typeof raw[3] === "number") found.add(raw[3]);
    for (const part of raw) if (typeof part === "object") objectsIn(part, found);
  } else if (typeof raw === "object" && raw !== null) {
    for (const part of Object.values(raw)) if (typeof part === "object") objectsIn(part, found);
  }
  found.delete(0);
  return found;
}
