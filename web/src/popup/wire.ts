// The messages between a page and the server about questions, which docs/protocol.md describes. The
// Go side is internal/transport/httppopup. Messages are validated here and nowhere else.

import { boolean, byType, count, list, maybe, object, oneOf, parse, string, type Of } from "../data/validate";

const option = object("option", { label: string, value: string, description: maybe(string) });
const image = object("image", { src: string, alt: maybe(string) });
const severity = oneOf("info", "warning", "danger");

const asked = object("question", {
  id: string,
  workspace: string,
  title: string,
  html: string, // which the server has sanitised; everything else is plain text
  options: list(option),
  allowText: boolean,
  multiple: boolean,
  prompt: boolean, // of a program in a terminal, where the text is typed; options are other things to do
  secret: boolean,
  reveal: boolean, // the caller gets the secret
  asker: oneOf("agent", "app", "program"), // the kind of caller that gets the answer
  host: string, // the other host on which it is asked, or ""
  client: maybe(string, ""), // the agent's program that asks, where there are several; else ""
  default: string, // a value, or ""
  severity: (raw, what) => (raw === "" ? "info" : severity(raw, what)),
  images: list(image),
  files: maybe(count, 0), // how many files the person may add
  deadline: count, // milliseconds since 1970
});

/** Question is an open question. It ends by the page's clock (performance.now), which nobody sets. */
export type Question = Omit<Of<typeof asked>, "deadline"> & { readonly ends: number };

export type Asker = Question["asker"];

function question(raw: unknown): Question {
  const { deadline, ...rest } = asked(raw, "question");
  return { ...rest, ends: performance.now() + deadline - Date.now() };
}

/** QueueEntry is a question in the queue; dialog means that this page is to show it. */
export type QueueEntry = Of<typeof entry>;
const entry = object("entry", { id: string, dialog: boolean });

/** Past is a question that has ended. */
export type Past = Of<typeof past>;
const past = object("past", {
  id: string,
  title: string,
  outcome: string,
  answer: string,
  channel: string,
  at: count, // milliseconds since 1970
});

export type State = Of<typeof state>;
const state = object("state", {
  type: oneOf("state"),
  order: list(entry),
  questions: list(question), // those that this connection has not sent before
  waiting: count,
  history: list(past),
});

/** Verdict is the server's response to an answer of this page. */
export type Verdict = Of<typeof verdict>;
const verdict = object("verdict", {
  type: oneOf("verdict"),
  id: string,
  ok: boolean,
  over: maybe(boolean),
  error: maybe(string),
  again: maybe(count), // milliseconds after which the same answer can be sent again
});

export type FromServer = State | Verdict;

export interface Reply {
  readonly action: "answer" | "dismiss" | "decline";
  readonly values: readonly string[];
  readonly text: string;
  readonly files?: readonly AddedFile[];
}

export interface AddedFile {
  readonly name: string;
  readonly mime: string;
  readonly data: string; // in base64
}

export type ToServer =
  | { readonly type: "hello"; readonly focused: boolean }
  | { readonly type: "focus"; readonly focused: boolean }
  | { readonly type: "shown"; readonly id: string }
  | { readonly type: "hidden"; readonly id: string }
  | { readonly type: "active"; readonly id: string }
  | ({ readonly type: "answer"; readonly id: string } & Reply);

const message = byType({ state, verdict });

/** decode parses and validates one text frame from the server. It throws a WireError. */
export const decode = (text: string): FromServer => message(parse(text));
