// Finds actions and sessions by words.

/**
 * rank returns the items whose texts have all words of a query: first those in which most words are
 * at the start of one; equal ones keep their order.
 */
export function rank<T>(query: string, items: readonly T[], text: (item: T) => string): T[] {
  const wanted = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const points = (own: string): number => {
    const words = own.split(/[\s\-_.:/]+/);
    return wanted.filter((word) => words.some((other) => other.startsWith(word))).length + (own.startsWith(wanted[0] ?? "") ? 0.5 : 0);
  };
  return items
    .map((item) => ({ item, own: text(item).toLowerCase() }))
    .filter(({ own }) => wanted.every((word) => own.includes(word)))
    .sort((a, b) => points(b.own) - points(a.own))
    .map(({ item }) => item);
}
