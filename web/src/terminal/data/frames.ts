// The frames of an attached terminal, as docs/terminal.md describes them. Their twin is
// internal/transport/socketwire. This file does not use the DOM.

import { count, maybe, object, oneOf, parse, string, WireError, type Check } from "../../data/validate";

/** Kind is the type of a frame. */
export const Kind = {
  Attach: 0x03,
  Attached: 0x04,
  Detach: 0x05,
  Resize: 0x06,
  Failed: 0x07,
  Output: 0x10,
  Input: 0x11,
  Ping: 0x14,
  Pong: 0x15,
  Drawn: 0x1a,
  Lead: 0x1d,
  Typed: 0x1e,
  Question: 0x20,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Frame is a message between a terminal and the server. */
export interface Frame {
  readonly kind: number; // one of Kind, unless the server is newer
  readonly content: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** textOf returns the content of a frame that carries a message of another protocol. */
export function textOf(content: Uint8Array): string {
  return decoder.decode(content);
}

/** pack returns a frame as one message: its type, and its content. */
export function pack({ kind, content }: Frame): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(1 + content.length);
  message[0] = kind;
  message.set(content, 1);
  return message;
}

/** unpack reads a message. */
export function unpack(message: ArrayBuffer): Frame {
  const bytes = new Uint8Array(message);
  const kind = bytes[0];
  if (kind === undefined) throw new WireError("the message is empty");
  return { kind, content: bytes.subarray(1) };
}

/** jsonFrame returns a frame with JSON. */
export function jsonFrame(kind: Kind, value: unknown): Frame {
  return { kind, content: encoder.encode(JSON.stringify(value)) };
}

/** plainFrame returns a frame without content. */
export function plainFrame(kind: Kind): Frame {
  return { kind, content: new Uint8Array() };
}

/** utf8 returns text as bytes. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** reads returns a function that reads the content of a frame, which is JSON. */
const reads = <T>(check: Check<T>) => (content: Uint8Array): T => check(content.length === 0 ? {} : parse(decoder.decode(content)), "content");

/** Identity is how a session is found again: its name may change, and may become another's. */
export type Identity = ReturnType<typeof attachedOf>;

/** attachedOf reads the content of an Attached frame. */
export const attachedOf = reads(object("attached", {
  name: string,
  id: string, // takes the place of the name in requests, and never changes
  client: string, // the name by which others know this terminal
}));

/** Size is a terminal's size in cells. */
export type Size = ReturnType<typeof sizeOf>;

/** cells accepts whole numbers from 1 on. */
const cells: Check<number> = (raw, what) => {
  if (raw === 0) throw new WireError("a session has at least one cell");
  return count(raw, what);
};

/** sizeOf reads the content of a Resize frame. */
export const sizeOf = reads(object("size", { cols: cells, rows: cells }));

const typed = reads(object("typed", { bytes: count }));

/** typedOf reads the content of a Typed frame: bytes that the server has handled. */
export const typedOf = (content: Uint8Array): number => typed(content).bytes;

/** End says why the server has detached the terminal. */
export type End = ReturnType<typeof endOf>;

/** endOf reads the content of a Detach frame. */
export const endOf = reads(object("detach", {
  reason: oneOf("exited", "removed", "detached", "stopping"),
  code: maybe(count, 0), // the program's exit status, or 128 and the number of the signal
  signal: maybe(string, ""),
}));

/** Failure is an error of the server. */
export type Failure = ReturnType<typeof failureOf>;

/** failureOf reads the content of a Failed frame. */
export const failureOf = reads(object("failed", { code: string, message: string }));
