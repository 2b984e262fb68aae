// Reading and writing the value of each kind of control.

import type { Reason } from "../data/outbox";
import { focused } from "../focus";
import { isScalar, same, type Scalar, type Value } from "../data/value";

/** Control handles one kind of control. It is stateless and shared by all controls of its kind. */
export interface Control {
  /** read returns what the control holds; undefined when it has no value, as a radio button that is off. */
  read(element: Element): Value | undefined;
  /** write displays a value. The caret of text that is being edited stays where it is. */
  write(element: Element, value: Value): void;
  /** input and commit are the names of the events for a change and for its end. */
  readonly input: string;
  readonly commit: string;
  /** options: the values that the control can display depend on child elements, which may come later. */
  readonly options?: boolean;
  /** pending reports whether what the control holds is not yet read. */
  pending?(element: Element): boolean;
  /** load reads what is pending. "replaced": the control holds something else meanwhile. */
  load?(element: Element): Promise<"read" | "replaced" | Reason>;
}

const native = { input: "input", commit: "change" } as const;
const shoelace = { input: "sl-input", commit: "sl-change" } as const;

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const text: Control = {
  ...native,
  read: (e) => (e as TextControl).value,
  write: (e, v) => writeText(e as TextControl, plain(v)),
};

const number: Control = {
  ...native,
  read: (e) => {
    const { value, valueAsNumber } = e as HTMLInputElement;
    return Number.isNaN(valueAsNumber) ? value : valueAsNumber;
  },
  write: (e, v) => {
    const input = e as HTMLInputElement;
    // The person may have written the same number as "1.50" or "1e3".
    if (typeof v === "number" && input.valueAsNumber === v) return;
    writeText(input, plain(v));
  },
};

const checkbox: Control = {
  ...native,
  read: (e) => (e as HTMLInputElement).checked,
  write: (e, v) => {
    (e as HTMLInputElement).checked = v !== null && v !== false;
  },
};

const radio: Control = {
  ...native,
  read: (e) => {
    const { checked, value } = e as HTMLInputElement;
    return checked ? value : undefined;
  },
  write: (e, v) => {
    (e as HTMLInputElement).checked = v !== null && (e as HTMLInputElement).value === String(v);
  },
};

const file: Control = {
  ...native,
  read: (e) => {
    const { files, multiple } = e as HTMLInputElement;
    const names = Array.from(files ?? [], (f) => f.name);
    return multiple ? names : (names[0] ?? "");
  },
  write: (e, v) => {
    // A page can only clear the chosen files.
    if (v === null || v === "" || (Array.isArray(v) && v.length === 0)) (e as HTMLInputElement).value = "";
  },
};

const select: Control = {
  ...native,
  options: true,
  read: (e) => (e as HTMLSelectElement).value,
  write: (e, v) => {
    const box = e as HTMLSelectElement;
    if (box.value !== plain(v) || box.selectedIndex < 0) box.value = plain(v);
  },
};

const selectMultiple: Control = {
  ...native,
  options: true,
  read: (e) => Array.from((e as HTMLSelectElement).selectedOptions, (o) => o.value),
  write: (e, v) => {
    const chosen = new Set(list(v).map(String));
    for (const option of (e as HTMLSelectElement).options) option.selected = chosen.has(option.value);
  },
};

const slChecked: Control = {
  ...shoelace,
  read: (e) => property(e, "checked") === true,
  write: (e, v) => void Reflect.set(e, "checked", v !== null && v !== false),
};

const slText: Control = {
  ...shoelace,
  read: (e) => value(e),
  write: (e, v) => assign(e, plain(v)),
};

/**
 * Like a native number input: a number when the text is one. valueAsNumber may be that of the field
 * within, which the component draws later.
 */
const slInput: Control = {
  ...shoelace,
  read: (e) => {
    const held = value(e);
    const n = e.getAttribute("type") === "number" && held !== "" ? Number(held) : NaN;
    return Number.isNaN(n) ? held : n;
  },
  write: (e, v) => {
    if (slInput.read(e) !== v) assign(e, plain(v));
  },
};

const slNumber: Control = {
  ...shoelace,
  read: (e) => value(e),
  write: (e, v) => assign(e, v === null || v === "" ? 0 : Number(v)),
};

const slSelect: Control = {
  ...shoelace,
  options: true,
  read: (e) => value(e),
  write: (e, v) => assign(e, e.hasAttribute("multiple") ? choices(v) : plain(v)),
};

/** Any other element with a property "value": numbers stay numbers. */
const generic: Control = {
  ...native,
  read: (e) => value(e),
  write: (e, v) => assign(e, v === null ? (e instanceof HTMLProgressElement || e instanceof HTMLMeterElement ? 0 : "") : v),
};

/** content handles an element whose text scripts change and report by uiApp.updateValue. */
export const content: Control = {
  ...native,
  read: (e) => e.textContent ?? "",
  write: (e, v) => writeContent(e, plain(v)),
};

/** A custom element may have a value only once it is defined. */
const custom: Control = {
  ...native,
  read: (e) => ("value" in e ? generic : content).read(e),
  write: (e, v) => ("value" in e ? generic : content).write(e, v),
};

const BY_TYPE = new Map<string, Control>(Object.entries({ checkbox, radio, file, number, range: number }));

/** Elements that the person edits. TestElementTables compares this table with the others. */
const EDITED = new Map<string, Control>(
  Object.entries({
    textarea: text,
    "sl-checkbox": slChecked,
    "sl-switch": slChecked,
    "sl-input": slInput,
    "sl-textarea": slText,
    "sl-color-picker": slText,
    "sl-radio-group": slSelect,
    "sl-select": slSelect,
    "sl-range": slNumber,
    "sl-rating": slNumber,
  }),
);

/** Elements that only display a value. */
const DISPLAYED = new Map<string, Control>(
  Object.entries({
    progress: generic,
    meter: generic,
    "sl-progress-bar": slNumber,
    "sl-progress-ring": slNumber,
    "sl-option": slText,
    "sl-qr-code": slText,
    "sl-copy-button": slText,
  }),
);

const BUTTONS: ReadonlySet<string> = new Set(["button", "submit", "reset", "image", "hidden"]);

/** isEdited reports whether the person can change the content of an element, and a page can write it. */
export function isEdited(element: Element): boolean {
  if (element instanceof HTMLInputElement) return element.type !== "file" && !BUTTONS.has(element.type);
  return element.localName === "select" || EDITED.has(element.localName);
}

/** controlOf returns the Control of an element; undefined when the element's value is its text. */
export function controlOf(element: Element): Control | undefined {
  const tag = element.localName;
  if (tag === "input") return BY_TYPE.get((element as HTMLInputElement).type) ?? text;
  if (tag === "select") return (element as HTMLSelectElement).multiple ? selectMultiple : select;
  const known = EDITED.get(tag) ?? DISPLAYED.get(tag);
  if (known !== undefined || tag.startsWith("sl-")) return known;
  return tag.includes("-") ? custom : undefined;
}

/** put writes a value and reports whether the control holds it now. */
export function put(control: Control, element: Element, value: Value): boolean {
  control.write(element, value);
  return same(control.read(element), value);
}

/** valueOf returns an element's value as the argument of an action. */
export function valueOf(element: Element): Value {
  return (controlOf(element)?.read(element) ?? value(element)) ?? null;
}

/** writeContent replaces an element's content by text. */
export function writeContent(element: Element, next: string): void {
  const only = element.firstChild;
  // Keeping the text node keeps the person's selection.
  if (only instanceof Text && only.nextSibling === null) {
    if (only.data !== next) only.data = next;
  } else {
    element.textContent = next;
  }
}

function writeText(field: TextControl, next: string): void {
  const { value: old, selectionStart: start, selectionEnd: end, selectionDirection: direction } = field;
  if (old === next) return;
  field.value = next;
  // Types such as "email" have no selection.
  if (start === null || end === null || focused() !== field) return;
  const at = (i: number): number => (i === old.length ? next.length : Math.min(i, next.length));
  field.setSelectionRange(at(start), at(end), direction ?? "none");
}

function property(element: Element, name: string): unknown {
  return Reflect.get(element, name);
}

function value(element: Element): Value | undefined {
  const raw = property(element, "value");
  if (isScalar(raw)) return raw;
  return Array.isArray(raw) ? raw.filter(isScalar) : undefined;
}

function assign(element: Element, next: Value): void {
  if (!same(value(element), next)) Reflect.set(element, "value", next);
}

function plain(v: Value): string {
  return v === null ? "" : String(v);
}

/** choices returns the options that a value names: an array's elements or a string's words. */
function choices(v: Value): readonly string[] {
  return typeof v === "string" ? v.split(" ").filter((word) => word !== "") : list(v).map(String);
}

function list(v: Value): readonly Scalar[] {
  if (Array.isArray(v)) return v;
  return v === null || v === "" ? [] : [v as Scalar];
}
