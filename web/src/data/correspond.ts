// Which elements of one version of a view definition are which in another one.

/** Described is what identifies an element in another version. */
export interface Described {
  readonly id: string; // as written; "" without one
  readonly written: string; // the binding that identifies it; "" without bindings
  readonly kind: string; // its tag, and of a control its type
  readonly look: string; // its name and classes
  readonly label: string; // by which the person knows an unbound control; "" for other elements
}

type Key = (d: Described) => string | undefined;

/**
 * correspond returns, for each element of the old version, the index of its counterpart in the next
 * one, or -1. An element with bindings is recognised by the binding as written and its kind, then by
 * its id. Several with the same binding of a value hold the same; of several with another binding,
 * such as an event, those with the same look are counterparts. An element without bindings is
 * recognised by its id, then by its kind, look and label, or without the label, if no other element in
 * either version has these.
 */
export function correspond(old: readonly Described[], next: readonly Described[]): number[] {
  const found = old.map(() => -1);
  const taken = new Set<number>();
  const match = (key: Key, fits: (a: Described, b: Described) => boolean = () => true): void => {
    const candidates = grouped(next, key, (j) => !taken.has(j));
    for (const [name, indexes] of grouped(old, key, (i) => found[i] === -1)) {
      const to = candidates.get(name) ?? [];
      indexes.slice(0, to.length).forEach((i, n) => {
        const j = to[n] as number;
        if (!fits(old[i] as Described, next[j] as Described)) return;
        found[i] = j;
        taken.add(j);
      });
    }
  };
  const only = (key: Key): Key => {
    const [before, after] = [grouped(old, key), grouped(next, key)];
    return (d) => {
      const name = key(d);
      return name !== undefined && before.get(name)?.length === 1 && after.get(name)?.length === 1 ? name : undefined;
    };
  };
  match((d) => (d.id === "" || d.written === "" ? undefined : `${bound(d)}\n${d.id}`));
  match((d) => (d.written.startsWith("value=") ? bound(d) : undefined));
  match(only(bound));
  match((d) => (d.written === "" ? undefined : `${bound(d)}\n${d.look}`), unlessTwo);
  match(({ id }) => (id === "" ? undefined : id));
  match(only((d) => (d.label === "" || d.written !== "" ? undefined : `${unbound(d)}\n${d.label}`)), unlessTwo);
  match(only(unbound), unlessTwo);
  return found;
}

/** sameTarget reports whether two bindings of values lead to the same place, whatever their options. */
export function sameTarget(a: string, b: string): boolean {
  const path = (written: string): string => written.split("?", 1)[0] as string;
  return path(a) === path(b);
}

/** unlessTwo: two ids are two elements. */
const unlessTwo = (a: Described, b: Described): boolean => a.id === "" || b.id === "";

const bound: Key = ({ written, kind }) => (written === "" ? undefined : `${written}\n${kind}`);
const unbound: Key = ({ written, kind, look }) => (written === "" ? `${kind}\n${look}` : undefined);

/** grouped groups the indexes of elements by key, in order. Elements whose key is undefined are left out. */
function grouped(list: readonly Described[], key: Key, free: (i: number) => boolean = () => true): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  list.forEach((d, i) => {
    const name = free(i) ? key(d) : undefined;
    if (name === undefined) return;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [i]);
    else group.push(i);
  });
  return groups;
}
