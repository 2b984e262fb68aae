// The messages between a session and a page, as docs/protocol.md describes them; internal/ui/wire
// is the Go side and uses the same names.
//
// Messages are validated here and nowhere else: other files get typed values. The slots of a Mount
// are validated when their binding reads them with scalarOf, mountOf, mountsOf or windowOf: only
// the template knows their kinds, and a first paint can have 50,000 of them.

import { array, byType, count, excerpt, flag, list, maybe, object, oneOf, parse, record, string, WireError, type Of } from "./data/validate";
import { isScalar, type Value } from "./data/value";

/** PROTO is the protocol version of this page. */
export const PROTO = 8;

/**
 * Mount is [template, instance, values, object, owners]: an instance with everything inside it.
 * object is the identity of the object that it shows; owners has the slots that write to others.
 */
export type Mount = readonly [
  template: number,
  instance: number,
  values: readonly unknown[],
  object?: number,
  owners?: readonly Owner[],
];

/** Owner is [slot, object]: the identity of the object that a slot writes to. */
export type Owner = readonly [slot: number, object: number];

/** Row is a new row, or the id of one that stays. */
export type Row = Mount | number;

export type Opts = Of<typeof opts>;
const opts = object("binding.opts", {
  edit: flag, arg: flag, keypress: flag, scrollOnOutput: flag, replace: flag, content: flag, upload: flag, repeat: flag,
});

export type Bind = Readonly<ReturnType<typeof bind>>;

function bind(raw: unknown) {
  const b = array(raw, "binding");
  return {
    element: count(b[0], "binding.element"), kind: string(b[1], "binding.kind"), name: string(b[2], "binding.name"),
    opts: opts(b[3] ?? {}, "binding.opts"),
  };
}

export type Def = Of<typeof def>;
const def = object("definition", { id: count, key: string, html: string, bind: maybe(list(bind), []) });

/**
 * WindowRows is the number of rows of a windowed list, and the rows that are rendered, in order:
 * segments of consecutive rows, with the index of the first.
 */
export type WindowRows = Readonly<ReturnType<typeof windowRows>>;

export type Op = ReturnType<typeof op>;
export type ListOp = Extract<Op, { readonly op: "list" }>;
export type WindowOp = Extract<Op, { readonly op: "window" }>;

/** Problem is something in the session that does not work now. */
export type Problem = Of<typeof problem>;
const problem = object("problem", {
  id: count,
  kind: string,
  file: maybe(string),
  line: maybe(count),
  source: maybe(string),
  message: string,
  at: maybe(place), // the failing binding, if the problem has one
});

/** place checks [instance, slot]. */
function place(raw: unknown, what: string): readonly [instance: number, slot: number] {
  const [instance, slot] = array(raw, what);
  return [count(instance, what), count(slot, what)];
}

export type Snapshot = Of<typeof snapshot>;
const snapshot = object("snapshot", {
  type: oneOf("snapshot"),
  session: string,
  epoch: string,
  seq: count,
  defs: maybe(list(def), []),
  root: mountOf,
  problems: maybe(list(problem), []),
});

export type Batch = Of<typeof batch>;
const batch = object("batch", { type: oneOf("batch"), seq: count, defs: maybe(list(def), []), ops: list(op) });

export type Ack = Of<typeof ack>;
const ack = object("ack", {
  type: oneOf("ack"),
  ref: count,
  error: maybe(string),
  stale: maybe(list(count), []), // indexes of events without effect, because the person saw them with another object
  failed: maybe(list(count), []), // indexes of events that failed
});

const problems = object("problems", { type: oneOf("problems"), problems: list(problem) });

/** Notice is a text for the person that stays until another one comes; "" removes it. */
const notice = object("notice", { type: oneOf("notice"), text: string });

/** Act asks the page to do something to an element in place of the person. */
export type Act = Of<typeof act>;
const act = object("act", {
  type: oneOf("act"),
  id: count,
  at: target,
  do: oneOf("click", "fill", "check", "select", "key"),
  text: maybe(string, ""), // to fill in
  on: flag, // whether to check
  options: maybe(list(string), []), // to select
  key: maybe(string, ""),
});

/** target checks [instance, element]: the element's number, or FIRST_ELEMENT. */
function target(raw: unknown, what: string): readonly [instance: number, element: number] {
  const [instance, element] = array(raw, what);
  return [count(instance, what), element === FIRST_ELEMENT ? FIRST_ELEMENT : count(element, what)];
}

/** FIRST_ELEMENT stands for the first element of an instance, which may have no number. */
export const FIRST_ELEMENT = -1;

/** Event is [instance, slot, value]: one edit or action of the person. */
export type Event = readonly [instance: number, slot: number, value?: Value];

/** WindowMessage requests rows of a windowed list, and optionally keeps one more row. */
export interface WindowMessage {
  readonly type: "window";
  readonly at: readonly [instance: number, slot: number];
  readonly start: number;
  readonly count: number;
  readonly keep?: number;
}

export interface PageError {
  readonly type: "error";
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly source?: string;
}

/** Acted answers an act: it is done, unless something says why not. thrown: it may be done in part. */
export interface Acted {
  readonly type: "acted";
  readonly id: number;
  readonly refused?: string;
  readonly holds?: true; // it was so already
  readonly thrown?: string;
}

export type PageMessage =
  | { readonly type: "events"; readonly ref: number; readonly seq: number; readonly act?: number; readonly events: readonly Event[] }
  | { readonly type: "visible"; readonly on: boolean }
  | WindowMessage
  | PageError
  | Acted
  | { readonly type: "resync" };

const message = byType({
  snapshot: (raw: unknown, what: string) => {
    const proto = count(record(raw, what)["proto"], "snapshot.proto");
    return proto === PROTO ? snapshot(raw, what) : ({ type: "foreign", proto } as const); // in another version of the protocol
  },
  batch, ack, act, problems, notice,
});

export type ServerMessage = ReturnType<typeof message>;

/** decode validates a message from the server, which may be parsed already. It throws a WireError. */
export const decode = (received: string | object): ServerMessage => message(typeof received === "string" ? parse(received) : record(received, "message"));

/** scalarOf validates the value of a slot that holds neither a view nor a list. */
export function scalarOf(raw: unknown): Value {
  if (raw === undefined) return null;
  if (isScalar(raw)) return raw;
  if (Array.isArray(raw) && raw.every(isScalar)) return raw;
  throw new WireError(`value must be a scalar or an array of scalars, not ${excerpt(raw)}`);
}

/** mountOf validates the value of a view's slot. */
export function mountOf(raw: unknown): Mount | null {
  return raw == null ? null : mount(raw);
}

/** mountsOf validates the value of a list's slot that is not windowed. */
export function mountsOf(raw: unknown): readonly Mount[] {
  if (raw == null) return [];
  const list = array(raw, "list");
  list.forEach(mount);
  return list as readonly Mount[];
}

/** windowOf validates the value of a list's slot; undefined when the list is not windowed. */
export function windowOf(raw: unknown): WindowRows | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const { total, segments } = record(raw, "list");
  return windowRows(total, segments);
}

function op(raw: unknown) {
  const o = array(raw, "op");
  const instance = count(o[1], "op.instance");
  // The instance shows another object.
  if (o[0] === "object") return { op: "object", instance, object: count(o[2], "op.object") } as const;
  const slot = count(o[2], "op.slot");
  switch (o[0]) {
    case "set":
      return { op: "set", instance, slot, value: o[3] } as const;
    case "mount":
      return { op: "mount", instance, slot, mount: mountOf(o[3]) } as const;
    case "owner": // the slot writes to another object
      return { op: "owner", instance, slot, object: count(o[3], "op.object") } as const;
    case "list":
      return { op: "list", instance, slot, start: count(o[3], "op.start"), remove: count(o[4], "op.remove"), rows: list(row)(o[5], "op.rows") } as const;
    case "window":
      return { op: "window", instance, slot, ...windowRows(o[3], o[4]) } as const;
  }
  throw new WireError(`unknown op ${excerpt(o[0])}`);
}

function windowRows(rawTotal: unknown, rawSegments: unknown) {
  const total = count(rawTotal, "window.total");
  let end = 0;
  const segments = array(rawSegments, "window.segments").map((raw) => {
    const s = array(raw, "segment");
    const start = count(s[0], "segment.start");
    const rows = list(row)(s[1], "segment.rows");
    if (start < end || start + rows.length > total) {
      throw new WireError(`segment of ${rows.length} rows from ${start} is not in order, or beyond ${total}`);
    }
    end = start + rows.length;
    return { start, rows };
  });
  return { total, segments };
}

function isOwner(raw: unknown): raw is Owner {
  return Array.isArray(raw) && Number.isSafeInteger(raw[0]) && Number.isSafeInteger(raw[1]);
}

function row(raw: unknown): Row {
  return typeof raw === "number" ? raw : mount(raw);
}

function mount(raw: unknown): Mount {
  if (
    Array.isArray(raw) &&
    Number.isSafeInteger(raw[0]) &&
    Number.isSafeInteger(raw[1]) &&
    Array.isArray(raw[2]) &&
    (raw[3] === undefined || Number.isSafeInteger(raw[3])) &&
    (raw[4] === undefined || (Array.isArray(raw[4]) && raw[4].every(isOwner)))
  ) {
    return raw as unknown as Mount;
  }
  throw new WireError(`mount must be [template, instance, values], not ${excerpt(raw)}`);
}
