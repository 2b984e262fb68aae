// The messages between a page and the server about questions, which docs/protocol.md describes. The
// Go side is internal/transport/httppopup. Messages are validated here and nowhere else.

import { array, boolean, count, excerpt, optional, parse, record, string, WireError } from "../data/validate";

export interface Option {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
}

export interface Image {
  readonly src: string;
  readonly alt?: string;
}

/** Asker is the kind of caller that gets the answer. */
export type Asker = "agent" | "app" | "program";

export type Severity = "info" | "warning" | "danger";

/** Question is an open question. The server has sanitised html; everything else is plain text. */
export interface Question {
  readonly id: string;
  readonly workspace: string;
  readonly title: string;
  readonly html: string;
  readonly options: readonly Option[];
  readonly allowText: boolean;
  readonly multiple: boolean;
  readonly prompt: boolean; // of a program in a terminal, where the text is typed; options are other things to do
  readonly secret: boolean;
  readonly reveal: boolean; // the caller gets the secret
  readonly asker: Asker;
  readonly host: string; // the other host on which it is asked, or ""
  readonly client: string; // the agent's program that asks, where there are several; else ""
  readonly default: string; // a value, or ""
  readonly severity: Severity;
  readonly images: readonly Image[];
  readonly ends: number; // by the page's clock (performance.now), which nobody sets
}

/** QueueEntry is a question in the queue; dialog means that this page is to show it. */
export interface QueueEntry {
  readonly id: string;
  readonly dialog: boolean;
}

/** Past is a question that has ended. */
export interface Past {
  readonly id: string;
  readonly title: string;
  readonly outcome: string;
  readonly answer: string;
  readonly channel: string;
  readonly at: number; // milliseconds since 1970
}

export interface State {
  readonly type: "state";
  readonly order: readonly QueueEntry[];
  readonly questions: readonly Question[]; // those that this connection has not sent before
  readonly waiting: number;
  readonly history: readonly Past[];
}

/** Verdict is the server's response to an answer of this page. */
export interface Verdict {
  readonly type: "verdict";
  readonly id: string;
  readonly ok: boolean;
  readonly over?: boolean;
  readonly error?: string;
  readonly again?: number; // milliseconds after which the same answer can be sent again
}

export type FromServer = State | Verdict;

export type Action = "answer" | "dismiss" | "decline";

export interface Reply {
  readonly action: Action;
  readonly values: readonly string[];
  readonly text: string;
}

export type ToServer =
  | { readonly type: "hello"; readonly focused: boolean }
  | { readonly type: "focus"; readonly focused: boolean }
  | { readonly type: "shown"; readonly id: string }
  | { readonly type: "hidden"; readonly id: string }
  | { readonly type: "active"; readonly id: string }
  | ({ readonly type: "answer"; readonly id: string } & Reply);

/** decode parses and validates one text frame from the server. It throws a WireError. */
export function decode(text: string): FromServer {
  const message = parse(text);
  switch (message["type"]) {
    case "state":
      return {
        type: "state",
        order: array(message["order"], "state.order").map(queueEntry),
        questions: array(message["questions"], "state.questions").map(question),
        waiting: count(message["waiting"], "state.waiting"),
        history: array(message["history"], "state.history").map(past),
      };
    case "verdict": {
      const over = optional(message["over"], "verdict.over", boolean);
      const error = optional(message["error"], "verdict.error", string);
      const again = optional(message["again"], "verdict.again", count);
      return {
        type: "verdict",
        id: string(message["id"], "verdict.id"),
        ok: boolean(message["ok"], "verdict.ok"),
        ...(over === undefined ? {} : { over }),
        ...(error === undefined ? {} : { error }),
        ...(again === undefined ? {} : { again }),
      };
    }
  }
  throw new WireError(`unknown message type ${excerpt(message["type"])}`);
}

function queueEntry(raw: unknown): QueueEntry {
  const e = record(raw, "entry");
  return { id: string(e["id"], "entry.id"), dialog: boolean(e["dialog"], "entry.dialog") };
}

function question(raw: unknown): Question {
  const q = record(raw, "question");
  return {
    id: string(q["id"], "question.id"),
    workspace: string(q["workspace"], "question.workspace"),
    title: string(q["title"], "question.title"),
    html: string(q["html"], "question.html"),
    options: array(q["options"], "question.options").map(option),
    allowText: boolean(q["allowText"], "question.allowText"),
    multiple: boolean(q["multiple"], "question.multiple"),
    prompt: boolean(q["prompt"], "question.prompt"),
    secret: boolean(q["secret"], "question.secret"),
    reveal: boolean(q["reveal"], "question.reveal"),
    asker: asker(q["asker"]),
    host: string(q["host"], "question.host"),
    client: optional(q["client"], "question.client", string) ?? "",
    default: string(q["default"], "question.default"),
    severity: severity(q["severity"]),
    images: array(q["images"], "question.images").map(image),
    ends: performance.now() + count(q["deadline"], "question.deadline") - Date.now(),
  };
}

function option(raw: unknown): Option {
  const o = record(raw, "option");
  const description = optional(o["description"], "option.description", string);
  return {
    label: string(o["label"], "option.label"),
    value: string(o["value"], "option.value"),
    ...(description === undefined ? {} : { description }),
  };
}

function image(raw: unknown): Image {
  const i = record(raw, "image");
  const alt = optional(i["alt"], "image.alt", string);
  return { src: string(i["src"], "image.src"), ...(alt === undefined ? {} : { alt }) };
}

function severity(raw: unknown): Severity {
  if (raw === "") return "info";
  if (raw === "info" || raw === "warning" || raw === "danger") return raw;
  throw new WireError(`question.severity must be info, warning or danger, not ${excerpt(raw)}`);
}

function asker(raw: unknown): Asker {
  if (raw === "agent" || raw === "app" || raw === "program") return raw;
  throw new WireError(`question.asker must be agent, app or program, not ${excerpt(raw)}`);
}

function past(raw: unknown): Past {
  const p = record(raw, "past question");
  return {
    id: string(p["id"], "past.id"),
    title: string(p["title"], "past.title"),
    outcome: string(p["outcome"], "past.outcome"),
    answer: string(p["answer"], "past.answer"),
    channel: string(p["channel"], "past.channel"),
    at: count(p["at"], "past.at"),
  };
}
