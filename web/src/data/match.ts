// Which nodes of one version of a template are which in another one.

/** Written is one node of a template, by what its author has written. */
export interface Written {
  readonly parent: number; // index among the nodes, which are in document order; -1 for a root
  readonly size: number; // how many nodes it is with all that is in it
  readonly whole: string; // it with all that is in it
  readonly kind: string; // nodes of two kinds are never counterparts
  readonly id: string; // "" without one
  readonly look: string; // its classes, and by which a person knows a control without binding
  readonly sure: boolean; // its kind says what it is for, wherever it is
  readonly placed: boolean; // its place says what it is for, if nothing else does
}

/** The most pairs of nodes that are compared for the longest common sequence. */
const MOST = 1 << 24;

/**
 * match returns, for each node of the next version, the index of its counterpart in the old one, or
 * -1. What is unchanged comes first: the longest sequence of nodes that both versions have, and what
 * has only moved. A node that has changed is recognised by its id, by its kind, if that is sure and
 * its look is the same, or if no other node has it, by what is in it, and at last by its place among
 * its siblings.
 */
export function match(old: readonly Written[], next: readonly Written[]): readonly number[] {
  const pairs = next.map(() => -1);
  const taken = old.map(() => false);
  const pair = (i: number, j: number): void => {
    pairs[j] = i;
    taken[i] = true;
  };
  const fits = (i: number, j: number): boolean => {
    const [a, b] = [old[i] as Written, next[j] as Written];
    return a.kind === b.kind && !(taken[i] as boolean) && pairs[j] === -1 && (a.id === b.id || a.id === "" || b.id === "");
  };
  common(old, next, pairs, pair);
  moved(old, next, taken, pairs, pair);

  /** by pairs nodes with the same key, in order; with only, if no other node of either version has it. */
  const by = (key: (w: Written) => string | undefined, only: boolean, anyID = false): void => {
    const before = grouped(old, key);
    for (const [name, indexes] of grouped(next, key)) {
      const candidates = before.get(name) ?? [];
      if (only && (candidates.length !== 1 || indexes.length !== 1)) continue;
      let at = 0;
      for (const j of indexes) {
        if (pairs[j] !== -1) continue;
        while (at < candidates.length && taken[candidates[at] as number]) at++;
        const i = candidates[at];
        if (i === undefined) break;
        if (!anyID && !fits(i, j)) continue;
        pair(i, j);
      }
    }
  };
  by(({ id, kind }) => (id === "" ? undefined : `${kind}\n${id}`), false);
  by(({ sure, kind, look }) => (sure ? `${kind}\n${look}` : undefined), false, true);
  by(({ kind, look }) => (look === "" ? undefined : `${kind}\n${look}`), true);
  by(({ kind }) => kind, true);

  // Parents of what has been found, from the inside out.
  for (let j = next.length - 1; j > 0; j--) {
    const i = pairs[j] as number;
    const [from, to] = [i < 0 ? -1 : (old[i] as Written).parent, (next[j] as Written).parent];
    if (from >= 0 && to >= 0 && fits(from, to)) pair(from, to);
  }
  // Places, from the outside in.
  const [children, before] = [childrenOf(next), childrenOf(old)];
  for (let j = 0; j < next.length; j++) {
    const i = pairs[j] as number;
    if (i >= 0) inPlace(before.get(i) ?? [], children.get(j) ?? [], next, pairs, fits, pair);
  }
  return pairs;
}

/** childrenOf returns the indexes of children by that of their parent. */
export function childrenOf(nodes: readonly { readonly parent: number }[]): ReadonlyMap<number, readonly number[]> {
  return Map.groupBy(nodes.keys(), (i) => (nodes[i] as { parent: number }).parent);
}

/** common pairs the longest sequence of nodes that both versions have. Nothing leaves what is unchanged itself. */
function common(
  old: readonly Written[], next: readonly Written[], pairs: readonly number[], pair: (i: number, j: number) => void,
): void {
  const numbers = new Map<string, number>();
  const number = ({ whole }: Written): number => {
    const n = numbers.get(whole) ?? numbers.size;
    numbers.set(whole, n);
    return n;
  };
  const [a, b] = [old.map(number), next.map(number)];
  const [n, m] = [a.length, b.length];
  if (n * m > MOST) return;
  const width = m + 1;
  const length = new Uint16Array((n + 1) * width); // of the sequence from here on
  const at = (i: number, j: number): number => length[i * width + j] as number;
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const [before, after] = [new Set(a), new Set(b)];
  const leaves = (i: number, j: number): boolean => {
    const [from, to] = [(old[i] as Written).parent, (next[j] as Written).parent];
    return pairs[to] !== from && (after.has(a[from] as number) || before.has(b[to] as number));
  };
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (a[i] === b[j]) {
      if (!leaves(i, j)) pair(i, j);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
}

/** moved pairs what is left and unchanged, with all that is in it. */
function moved(
  old: readonly Written[], next: readonly Written[], taken: readonly boolean[], pairs: readonly number[],
  pair: (i: number, j: number) => void,
): void {
  const left = grouped(old, ({ whole }) => whole);
  const free = (from: number, size: number, used: (k: number) => boolean): boolean => {
    for (let k = from; k < from + size; k++) if (used(k)) return false;
    return true;
  };
  next.forEach(({ whole, size }, j) => {
    if (!free(j, size, (k) => pairs[k] !== -1)) return;
    const i = left.get(whole)?.find((i) => free(i, size, (k) => taken[k] as boolean));
    if (i !== undefined) for (let k = 0; k < size; k++) pair(i + k, j + k);
  });
}

/** inPlace pairs children of counterparts that lie between the same siblings. */
function inPlace(
  old: readonly number[], next: readonly number[], nodes: readonly Written[], pairs: readonly number[],
  fits: (i: number, j: number) => boolean, pair: (i: number, j: number) => void,
): void {
  const places = new Map(old.map((i, k) => [i, k]));
  const found = next.map((j) => places.get(pairs[j] as number) ?? -1);
  const bounds = found.map(() => old.length); // the next found sibling of each
  for (let at = next.length - 2; at >= 0; at--) bounds[at] = (found[at + 1] as number) >= 0 ? (found[at + 1] as number) : (bounds[at + 1] as number);
  let from = 0; // in old
  next.forEach((j, at) => {
    if ((found[at] as number) >= 0) from = (found[at] as number) + 1;
    if (pairs[j] !== -1 || !(nodes[j] as Written).placed) return;
    for (let k = from; k < (bounds[at] as number); k++) {
      if (!fits(old[k] as number, j)) continue;
      pair(old[k] as number, j);
      from = k + 1;
      return;
    }
  });
}

/** grouped groups the indexes of nodes by key, in order. Nodes whose key is undefined are left out. */
function grouped(nodes: readonly Written[], key: (w: Written) => string | undefined): Map<string | undefined, number[]> {
  const groups = Map.groupBy(nodes.keys(), (i) => key(nodes[i] as Written));
  groups.delete(undefined);
  return groups;
}
