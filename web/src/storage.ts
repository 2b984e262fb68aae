// What the browser keeps for this tab, or for all. Some browsers, and frames, keep nothing.

type Place = "sessionStorage" | "localStorage";

/** stored returns what is kept under a key; undefined: nothing. */
export function stored(place: Place, key: string): string | undefined {
  try {
    return window[place].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** store keeps a text under a key, or with undefined nothing any more. It reports whether that worked. */
export function store(place: Place, key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) window[place].removeItem(key);
    else window[place].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
