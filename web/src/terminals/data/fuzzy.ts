// Finds actions and sessions by a few letters of their names.

/** score returns how well a text matches a query; higher is better, and undefined is no match. */
export function score(query: string, text: string): number | undefined {
  const wanted = query.toLowerCase().replace(/\s+/g, "");
  if (wanted === "") return 0;
  const lower = text.toLowerCase();
  let points = 0;
  let at = 0;
  let last = -2;
  for (const letter of wanted) {
    const found = startOfWord(lower, letter, at) ?? lower.indexOf(letter, at);
    if (found < 0) {
      return lower.includes(wanted) ? wanted.length : undefined;
    }
    points += found === last + 1 ? 3 : isStart(lower, found) ? 2 : 0;
    last = found;
    at = found + 1;
  }
  const whole = lower.indexOf(wanted);
  if (whole >= 0) points = Math.max(points, wanted.length * 4 + (isStart(lower, whole) ? 4 : 0));
  return points - text.length / 1000;
}

function isStart(text: string, at: number): boolean {
  return at === 0 || /[\s\-_.:/]/.test(text[at - 1] ?? "");
}

/** startOfWord returns where a letter follows directly, or else the next word that starts with it. */
function startOfWord(text: string, letter: string, from: number): number | undefined {
  if (text[from] === letter) return from;
  for (let i = from; i < text.length; i++) if (text[i] === letter && isStart(text, i)) return i;
  return undefined;
}

/** rank returns the items that match a query, the best first; equal ones keep their order. */
export function rank<T>(query: string, items: readonly T[], text: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, points: score(query, text(item)) ?? -Infinity }))
    .filter(({ points }) => points > -Infinity)
    .sort((a, b) => b.points - a.points)
    .map(({ item }) => item);
}
