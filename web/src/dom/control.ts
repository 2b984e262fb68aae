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

type Events = Pick<Control, "input" | "commit" | "options">;

const native: Events = { input: "input", commit: "change" };
const shoelace: Events = { input: "sl-input", commit: "sl-change" };

/** of returns the Control of elements of one type. */
function of<E extends Element>(events: Events, read: (e: E) => Value | undefined, write: (e: E, v: Value) => void): Control {
  return { ...events, read: (e) => read(e as E), write: (e, v) => write(e as E, v) };
}

/** byValue returns the Control of elements with a property "value". as returns what that can hold. */
function byValue(events: Events, as: (v: Value, e: Element) => Value): Control {
  return of(events, value, (e, v) => assign(e, as(v, e)));
}

/** byChecked returns the Control of elements with a property "checked". */
function byChecked(events: Events): Control {
  return of<Element & { checked?: boolean }>(events, (e) => e.checked === true, (e, v) => {
    e.checked = v !== null && v !== false;
  });
}

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const text = of<TextControl>(native, (e) => e.value, (e, v) => writeText(e, plain(v)));

const number = of<HTMLInputElement>(native, (e) => (Number.isNaN(e.valueAsNumber) ? e.value : e.valueAsNumber), (e, v) => {
  // The person may have written the same number as "1.50" or "1e3".
  if (typeof v !== "number" || e.valueAsNumber !== v) writeText(e, plain(v));
});

const radio = of<HTMLInputElement>(native, (e) => (e.checked ? e.value : undefined), (e, v) => {
  e.checked = v !== null && e.value === String(v);
});

const file = of<HTMLInputElement>(native, (e) => {
  const names = Array.from(e.files ?? [], (f) => f.name);
  return e.multiple ? names : (names[0] ?? "");
}, (e, v) => {
  if (list(v).length === 0) e.value = ""; // a page can only clear the chosen files
});

const select = of<HTMLSelectElement>({ ...native, options: true }, (e) => e.value, (e, v) => {
  if (e.value !== plain(v) || e.selectedIndex < 0) e.value = plain(v);
});

const selectMultiple = of<HTMLSelectElement>({ ...native, options: true }, (e) => Array.from(e.selectedOptions, (o) => o.value), (e, v) => {
  const chosen = new Set(list(v).map(String));
  for (const option of e.options) option.selected = chosen.has(option.value);
});

const slChecked = byChecked(shoelace);
const slText = byValue(shoelace, plain);
const slNumber = byValue(shoelace, (v) => (v === null || v === "" ? 0 : Number(v)));
const slSelect = byValue({ ...shoelace, options: true }, (v, e) => (e.hasAttribute("multiple") ? choices(v) : plain(v)));

/**
 * Like a native number input: a number when the text is one. valueAsNumber may be that of the field
 * within, which the component draws later.
 */
const slInput: Control = of(shoelace, (e) => {
  const held = value(e);
  const n = e.getAttribute("type") === "number" && held !== "" ? Number(held) : NaN;
  return Number.isNaN(n) ? held : n;
}, (e, v) => {
  if (slInput.read(e) !== v) assign(e, plain(v));
});

/** Any other element with a property "value": numbers stay numbers. */
const generic = byValue(native, (v, e) => v ?? (e instanceof HTMLProgressElement || e instanceof HTMLMeterElement ? 0 : ""));

/** content handles an element whose text scripts change and report by uiApp.updateValue. */
export const content = of(native, (e) => e.textContent ?? "", (e, v) => writeContent(e, plain(v)));

/** A custom element may have a value only once it is defined. */
const custom = of(native, (e) => ("value" in e ? generic : content).read(e), (e, v) => ("value" in e ? generic : content).write(e, v));

const BY_TYPE = new Map<string, Control>(Object.entries({ checkbox: byChecked(native), radio, file, number, range: number }));

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

function value(element: Element): Value | undefined {
  const raw: unknown = Reflect.get(element, "value");
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
