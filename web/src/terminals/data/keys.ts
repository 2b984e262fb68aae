// The keys of actions, as in "Alt+Shift+N".

/** A Stroke is the part of a keyboard event that describes a key. */
type Stroke = Pick<KeyboardEvent, "altKey" | "code" | "ctrlKey" | "key" | "metaKey" | "shiftKey">;

/**
 * matches reports whether a stroke matches the keys. Letters are those at the places of a US
 * keyboard, or those that the keyboard has: Alt changes what a key writes on some systems.
 */
export function matches(keys: string, stroke: Stroke): boolean {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  for (const [name, down] of [["Alt", stroke.altKey], ["Ctrl", stroke.ctrlKey], ["Meta", stroke.metaKey], ["Shift", stroke.shiftKey]] as const) {
    if (parts.includes(name) !== down) return false;
  }
  if (/^[A-Z]$/.test(key)) return /^[A-Za-z]$/.test(stroke.key) ? stroke.key.toUpperCase() === key : stroke.code === `Key${key}`;
  if (/^[0-9]$/.test(key)) return stroke.code === `Digit${key}`;
  return stroke.key === key || stroke.code === key;
}

const MAC: Readonly<Record<string, string>> = { Alt: "⌥", Ctrl: "⌃", Meta: "⌘", Shift: "⇧" };
const SIGNS: Readonly<Record<string, string>> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Comma: ",", Period: ".", Equal: "=", Minus: "-", PageUp: "Page Up", PageDown: "Page Down" };

/** spell writes keys as the person's keyboard has them. */
export function spell(keys: string, mac: boolean): string {
  const parts = keys.split("+").map((part) => SIGNS[part] ?? (mac ? MAC[part] : undefined) ?? part);
  return parts.join(mac ? "" : "+");
}
