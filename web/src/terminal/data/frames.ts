// The frames of an attached terminal, as docs/terminal.md describes them. Their twin is
// internal/transport/socketwire. This file does not use the DOM.

import { count, excerpt, parse, string as text, WireError } from "../../data/validate";

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

/** Size is a terminal's size in cells. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Identity is how a session is found again: its name may change, and may become another's. */
export interface Identity {
  readonly name: string;
  readonly id: string; // takes the place of the name in requests, and never changes
  readonly client: string; // the name by which others know this terminal
}

/** End says why the server has detached the terminal. */
export interface End {
  readonly reason: "exited" | "removed" | "detached" | "stopping";
  readonly code: number; // the program's exit status, or 128 and the number of the signal
  readonly signal: string;
}

/** Failure is an error of the server. */
export interface Failure {
  readonly code: string;
  readonly message: string;
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

function members(content: Uint8Array): Record<string, unknown> {
  return content.length === 0 ? {} : parse(decoder.decode(content));
}

/** attachedOf reads the content of an Attached frame. */
export function attachedOf(content: Uint8Array): Identity {
  const m = members(content);
  return { name: text(m["name"], "name"), id: text(m["id"], "id"), client: text(m["client"], "client") };
}

/** sizeOf reads the content of a Resize frame. */
export function sizeOf(content: Uint8Array): Size {
  const m = members(content);
  const size = { cols: count(m["cols"], "cols"), rows: count(m["rows"], "rows") };
  if (size.cols < 1 || size.rows < 1) throw new WireError("a session has at least one cell");
  return size;
}

/** typedOf reads the content of a Typed frame: bytes that the server has handled. */
export function typedOf(content: Uint8Array): number {
  return count(members(content)["bytes"], "bytes");
}

/** endOf reads the content of a Detach frame. */
export function endOf(content: Uint8Array): End {
  const m = members(content);
  const reason = m["reason"];
  if (reason !== "exited" && reason !== "removed" && reason !== "detached" && reason !== "stopping") {
    throw new WireError(`reason is ${excerpt(reason)}`);
  }
  return { reason, code: count(m["code"] ?? 0, "code"), signal: m["signal"] === undefined ? "" : text(m["signal"], "signal") };
}

/** failureOf reads the content of a Failed frame. */
export function failureOf(content: Uint8Array): Failure {
  const m = members(content);
  return { code: text(m["code"], "code"), message: text(m["message"], "message") };
}
