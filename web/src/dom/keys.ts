// Names of keys in bindings: "enter", "ctrl-shift-s".

const MODIFIERS = ["ctrl", "shift", "alt", "meta"] as const;

/** Names that differ from KeyboardEvent.key in more than case. */
const NAMES = new Map([
  ["left", "arrowleft"],
  ["right", "arrowright"],
  ["up", "arrowup"],
  ["down", "arrowdown"],
  ["space", " "],
  ["esc", "escape"],
]);

/** Key is a key with exactly the modifiers that must be held. */
export interface Key {
  readonly name: string; // as in the binding, without modifiers
  readonly key: string; // lower-case KeyboardEvent.key
  readonly modifiers: ReadonlySet<string>;
}

/** parseKey parses a name such as "ctrl-enter", with modifiers in any order. */
export function parseKey(name: string): Key {
  const modifiers = new Set<string>();
  let rest = name.toLowerCase();
  for (;;) {
    const modifier = MODIFIERS.find((m) => rest.startsWith(m + "-") && rest.length > m.length + 1);
    if (modifier === undefined) break;
    modifiers.add(modifier);
    rest = rest.slice(modifier.length + 1);
  }
  return { name: rest, key: NAMES.get(rest) ?? rest, modifiers };
}

/** matches reports whether the event is this key. Keys that an input method consumes never match. */
export function matches({ key, modifiers }: Key, event: KeyboardEvent): boolean {
  const isSign = key.length === 1 && key !== " " && key.toLowerCase() === key.toUpperCase(); // the layout decides if Shift is held
  return (
    !event.isComposing &&
    event.key.toLowerCase() === key &&
    MODIFIERS.every((m) => event[`${m}Key`] === modifiers.has(m) || (m === "shift" && isSign))
  );
}

/** KeyName is a key as a KeyboardEvent describes it. */
export type KeyName = Pick<KeyboardEvent, "altKey" | "ctrlKey" | "key" | "metaKey" | "shiftKey">;

/** How browsers write the names of keys that have several letters. */
const WRITTEN = new Map(
  [
    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Escape", "Enter", "Tab", "Backspace", "Delete", "Insert", "Home", "End",
    "PageUp", "PageDown", "ContextMenu", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
  ].map((key) => [key.toLowerCase(), key]),
);

/** keyEvent returns the key of a name such as "ctrl-enter"; undefined when there is no such key. */
export function keyEvent(name: string): KeyName | undefined {
  const { key, modifiers } = parseKey(name);
  const written = [...key].length === 1 ? key : WRITTEN.get(key);
  if (written === undefined) return undefined;
  const has = (m: string): boolean => modifiers.has(m);
  return { key: written, ctrlKey: has("ctrl"), shiftKey: has("shift"), altKey: has("alt"), metaKey: has("meta") };
}
