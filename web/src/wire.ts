// The messages between a session and a page, as docs/protocol.md describes them; internal/ui/wire
// is the Go side and uses the same names.
//
// Messages are validated here and nowhere else: other files get typed values. The slots of a Mount
// are validated when their binding reads them with scalarOf, mountOf, mountsOf or windowOf: only
// the template knows their kinds, and a first paint can have 50,000 of them.

import { array, count, excerpt, optional, parse, record, string, WireError } from "./data/validate";
import { isScalar, type Value } from "./data/value";

/** PROTO is the protocol version of this page. */
export const PROTO = 7;

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

export interface Opts {
  readonly edit: boolean;
  readonly arg: boolean;
  readonly keypress: boolean;
  readonly scrollOnOutput: boolean;
  readonly replace: boolean;
  readonly content: boolean;
  readonly repeat: boolean;
}

export interface Bind {
  readonly element: number;
  readonly kind: string;
  readonly name: string;
  readonly opts: Opts;
}

export interface Def {
  readonly id: number;
  readonly key: string;
  readonly html: string;
  readonly bind: readonly Bind[];
}

export interface SetOp {
  readonly op: "set";
  readonly instance: number;
  readonly slot: number;
  readonly value: unknown;
}

export interface MountOp {
  readonly op: "mount";
  readonly instance: number;
  readonly slot: number;
  readonly mount: Mount | null;
}

export interface ListOp {
  readonly op: "list";
  readonly instance: number;
  readonly slot: number;
  readonly start: number;
  readonly remove: number;
  readonly rows: readonly Row[];
}

/** Segment is consecutive rows of a windowed list; start is the index of the first. */
export interface Segment {
  readonly start: number;
  readonly rows: readonly Row[];
}

/** WindowRows is the number of rows of a windowed list, and the rows that are rendered, in order. */
export interface WindowRows {
  readonly total: number;
  readonly segments: readonly Segment[];
}

export interface WindowOp extends WindowRows {
  readonly op: "window";
  readonly instance: number;
  readonly slot: number;
}

/** ObjectOp: an instance shows another object. */
export interface ObjectOp {
  readonly op: "object";
  readonly instance: number;
  readonly object: number;
}

/** OwnerOp: a slot writes to another object. */
export interface OwnerOp {
  readonly op: "owner";
  readonly instance: number;
  readonly slot: number;
  readonly object: number;
}

export type Op = SetOp | MountOp | ListOp | WindowOp | ObjectOp | OwnerOp;

/** Problem is something in the session that does not work now. */
export interface Problem {
  readonly id: number;
  readonly kind: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly source: string | undefined;
  readonly message: string;
  readonly count: number;
  /** The failing binding, if the problem has one. */
  readonly at: readonly [instance: number, slot: number] | undefined;
}

export interface Snapshot {
  readonly type: "snapshot";
  readonly session: string;
  readonly epoch: string;
  readonly seq: number;
  readonly defs: readonly Def[];
  readonly root: Mount | null;
  readonly problems: readonly Problem[];
}

/** Foreign is a snapshot in another protocol version. */
export interface Foreign {
  readonly type: "foreign";
  readonly proto: number;
}

export interface Batch {
  readonly type: "batch";
  readonly seq: number;
  readonly defs: readonly Def[];
  readonly ops: readonly Op[];
}

export interface Ack {
  readonly type: "ack";
  readonly ref: number;
  readonly error: string | undefined;
  /** Indexes of events without effect, because the person saw them with another object. */
  readonly stale: readonly number[];
  /** Indexes of events that failed. */
  readonly failed: readonly number[];
}

export interface Problems {
  readonly type: "problems";
  readonly problems: readonly Problem[];
}

/** Act asks the page to do something to an element in place of the person. */
export interface Act {
  readonly type: "act";
  readonly id: number;
  readonly instance: number;
  /** The number of the element; FIRST_ELEMENT for the first one of the instance. */
  readonly element: number;
  readonly doing:
    | { readonly kind: "click" }
    | { readonly kind: "fill"; readonly text: string }
    | { readonly kind: "check"; readonly on: boolean }
    | { readonly kind: "select"; readonly options: readonly string[] }
    | { readonly kind: "key"; readonly key: string };
}

/** FIRST_ELEMENT stands for the first element of an instance, which may have no number. */
export const FIRST_ELEMENT = -1;

/** Notice is a text for the person that stays until another one comes; "" removes it. */
export interface Notice {
  readonly type: "notice";
  readonly text: string;
}

export type ServerMessage = Snapshot | Foreign | Batch | Ack | Act | Problems | Notice;

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

export type PageMessage =
  | { readonly type: "events"; readonly ref: number; readonly seq: number; readonly act?: number; readonly events: readonly Event[] }
  | { readonly type: "visible"; readonly on: boolean }
  | WindowMessage
  | PageError
  | { readonly type: "acted"; readonly id: number; readonly refused?: string; readonly holds?: true; readonly thrown?: string }
  | { readonly type: "resync" };

/** decode validates a message from the server, which may be parsed already. It throws a WireError. */
export function decode(received: string | object): ServerMessage {
  const message = typeof received === "string" ? parse(received) : record(received, "message");
  switch (message["type"]) {
    case "snapshot":
      return snapshot(message);
    case "batch":
      return {
        type: "batch",
        seq: count(message["seq"], "batch.seq"),
        defs: message["defs"] == null ? [] : array(message["defs"], "batch.defs").map(def),
        ops: array(message["ops"], "batch.ops").map(op),
      };
    case "ack":
      return {
        type: "ack",
        ref: count(message["ref"], "ack.ref"),
        error: optional(message["error"], "ack.error", string),
        stale: indexes(message["stale"], "ack.stale"),
        failed: indexes(message["failed"], "ack.failed"),
      };
    case "act":
      return act(message);
    case "problems":
      return { type: "problems", problems: array(message["problems"], "problems").map(problem) };
    case "notice":
      return { type: "notice", text: string(message["text"], "notice.text") };
  }
  throw new WireError(`unknown message type ${excerpt(message["type"])}`);
}

/** scalarOf validates the value of a slot that holds neither a view nor a list. */
export function scalarOf(raw: unknown): Value {
  switch (typeof raw) {
    case "string":
    case "number":
    case "boolean":
      return raw;
    case "undefined":
      return null;
  }
  if (raw === null) return null;
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

function act(message: Record<string, unknown>): Act {
  const at = array(message["at"], "act.at");
  const element = at[1] === FIRST_ELEMENT ? FIRST_ELEMENT : count(at[1], "act.at");
  return { type: "act", id: count(message["id"], "act.id"), instance: count(at[0], "act.at"), element, doing: doingOf(message) };
}

function doingOf(message: Record<string, unknown>): Act["doing"] {
  switch (message["do"]) {
    case "click":
      return { kind: "click" };
    case "fill":
      return { kind: "fill", text: string(message["text"], "act.text") };
    case "check":
      return { kind: "check", on: message["on"] === true };
    case "select":
      return { kind: "select", options: array(message["options"], "act.options").map((o) => string(o, "act.options")) };
    case "key":
      return { kind: "key", key: string(message["key"], "act.key") };
  }
  throw new WireError(`unknown act ${excerpt(message["do"])}`);
}

function snapshot(message: Record<string, unknown>): Snapshot | Foreign {
  const proto = count(message["proto"], "snapshot.proto");
  if (proto !== PROTO) return { type: "foreign", proto };
  return {
    type: "snapshot",
    session: string(message["session"], "snapshot.session"),
    epoch: string(message["epoch"], "snapshot.epoch"),
    seq: count(message["seq"], "snapshot.seq"),
    defs: message["defs"] == null ? [] : array(message["defs"], "snapshot.defs").map(def),
    root: mountOf(message["root"]),
    problems: message["problems"] == null ? [] : array(message["problems"], "snapshot.problems").map(problem),
  };
}

function problem(raw: unknown): Problem {
  const p = record(raw, "problem");
  const at = p["at"] == null ? undefined : array(p["at"], "problem.at");
  return {
    id: count(p["id"], "problem.id"),
    kind: string(p["kind"], "problem.kind"),
    file: optional(p["file"], "problem.file", string),
    line: optional(p["line"], "problem.line", count),
    source: optional(p["source"], "problem.source", string),
    message: string(p["message"], "problem.message"),
    count: optional(p["count"], "problem.count", count) ?? 1,
    at: at && [count(at[0], "problem.at"), count(at[1], "problem.at")],
  };
}

function def(raw: unknown): Def {
  const d = record(raw, "definition");
  return {
    id: count(d["id"], "definition.id"),
    key: string(d["key"], "definition.key"),
    html: string(d["html"], "definition.html"),
    bind: d["bind"] == null ? [] : array(d["bind"], "definition.bind").map(bind),
  };
}

function bind(raw: unknown): Bind {
  const b = array(raw, "binding");
  const opts = b[3] == null ? {} : record(b[3], "binding.opts");
  return {
    element: count(b[0], "binding.element"),
    kind: string(b[1], "binding.kind"),
    name: string(b[2], "binding.name"),
    opts: {
      edit: opts["edit"] === true,
      arg: opts["arg"] === true,
      keypress: opts["keypress"] === true,
      scrollOnOutput: opts["scrollOnOutput"] === true,
      replace: opts["replace"] === true,
      content: opts["content"] === true,
      repeat: opts["repeat"] === true,
    },
  };
}

function op(raw: unknown): Op {
  const o = array(raw, "op");
  const instance = count(o[1], "op.instance");
  if (o[0] === "object") return { op: "object", instance, object: count(o[2], "op.object") };
  const slot = count(o[2], "op.slot");
  switch (o[0]) {
    case "set":
      return { op: "set", instance, slot, value: o[3] };
    case "mount":
      return { op: "mount", instance, slot, mount: mountOf(o[3]) };
    case "owner":
      return { op: "owner", instance, slot, object: count(o[3], "op.object") };
    case "list":
      return {
        op: "list",
        instance,
        slot,
        start: count(o[3], "op.start"),
        remove: count(o[4], "op.remove"),
        rows: array(o[5], "op.rows").map(row),
      };
    case "window":
      return { op: "window", instance, slot, ...windowRows(o[3], o[4]) };
  }
  throw new WireError(`unknown op ${excerpt(o[0])}`);
}

function windowRows(rawTotal: unknown, rawSegments: unknown): WindowRows {
  const total = count(rawTotal, "window.total");
  let end = 0;
  const segments = array(rawSegments, "window.segments").map((raw): Segment => {
    const s = array(raw, "segment");
    const start = count(s[0], "segment.start");
    const rows = array(s[1], "segment.rows").map(row);
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

function indexes(raw: unknown, what: string): readonly number[] {
  return raw == null ? [] : array(raw, what).map((i) => count(i, what));
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
