// The messages between this page and the server; docs/popup.md explains them. The Go side is internal/transport/httppopup.

export interface Option {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
}

export interface Image {
  readonly src: string;
  readonly alt?: string;
}

export type Severity = "info" | "warning" | "danger";

/** Question is one that waits for its answer. Its html is sanitised by the server; everything else is plain text. */
export interface Question {
  readonly id: string;
  readonly workspace: string;
  readonly title: string;
  readonly html: string;
  readonly options: readonly Option[];
  readonly allowText: boolean;
  readonly multiple: boolean;
  readonly secret: boolean;
  readonly default: string; // a value; "" is none
  readonly severity: Severity;
  readonly images: readonly Image[];
  readonly at: number; // milliseconds since 1970
  readonly deadline: number;
}

/** Place is a question's in the queue; dialog says that this page is to show it. */
export interface Place {
  readonly id: string;
  readonly dialog: boolean;
}

/** Past is a question that is over. */
export interface Past {
  readonly id: string;
  readonly title: string;
  readonly outcome: string;
  readonly answer: string;
  readonly channel: string;
  readonly at: number;
}

export interface State {
  readonly type: "state";
  readonly order: readonly Place[];
  readonly questions: readonly Question[]; // those that this connection has not told before
  readonly waiting: number;
  readonly history: readonly Past[];
}

/** Verdict is what became of an answer of this page. */
export interface Verdict {
  readonly type: "verdict";
  readonly id: string;
  readonly ok: boolean;
  readonly over?: boolean;
  readonly error?: string;
}

export type FromServer = State | Verdict;

export type Action = "answer" | "dismiss" | "decline";

export interface Reply {
  readonly action: Action;
  readonly values: readonly string[];
  readonly text: string;
}

export type ToServer =
  | { readonly type: "hello"; readonly token: string; readonly focused: boolean }
  | { readonly type: "focus"; readonly focused: boolean }
  | { readonly type: "shown"; readonly id: string }
  | ({ readonly type: "answer"; readonly id: string } & Reply);

/** decode reads a message. Page and server are of the same build, so only the kind is looked at. */
export function decode(text: string): FromServer | undefined {
  const message: unknown = JSON.parse(text);
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
  return message.type === "state" || message.type === "verdict" ? (message as FromServer) : undefined;
}
