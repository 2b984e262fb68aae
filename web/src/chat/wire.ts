// The messages between a view and the server on the channel "view". Those about an app are on a
// channel of their own, and are a page's messages (../wire.ts). This file does not use the DOM.

import { count, optional, record, string, WireError } from "../data/validate";

/** Show says what the view must display. */
export interface Show {
  readonly type: "show";
  readonly what: "app" | "terminal" | "question" | "nothing";
  readonly session: string; // of an app, or of terminals; with "nothing", of a call that displays an app later or has failed
  readonly terminal: string; // the ID of the session of terminals; "" if there is none
  readonly channel: string; // of an app's messages
  readonly url: string; // of the page in the browser; "" if no page is served
  readonly text: string; // for the person, when there is nothing to show
  readonly readOnly: boolean; // nothing can be typed into the terminal
}

/** Closed says that a channel has ended. */
export interface Closed {
  readonly type: "closed";
  readonly channel: string;
  readonly code: number;
}

/** Icon is the answer to a request for an icon. */
export interface Icon {
  readonly type: "icon";
  readonly name: string;
  readonly svg: string; // "" if the name is unknown
}

/** Answer is the answer to a request that reads the history of a terminal. */
export interface Answer {
  readonly type: "answer";
  readonly id: number;
  readonly value: unknown;
  readonly text: string; // the error, or ""
}

/** Request is something that the view should ask its host for. */
export interface Request {
  readonly type: "request";
  readonly id: number;
  readonly name: string; // "message", "context" or "fullscreen", unless the server is newer
  readonly text: string; // of a message
  readonly value: unknown; // the context, or whether to fill the window
}

export type ToView = Show | Closed | Icon | Answer | Request;

export type FromView =
  | { readonly type: "open" } // show it again
  // The arguments of the tool call that the view belongs to, or the terminal in its result, when
  // they arrive after the hello. They may name another session.
  | { readonly type: "call"; readonly input?: Record<string, unknown>; readonly created?: string }
  | { readonly type: "host"; readonly host: Record<string, unknown> } // what the view knows of its host
  | { readonly type: "answered"; readonly id: number; readonly text: string } // "": the host did it
  // Connect the terminal on a channel that the view has chosen, instead of an earlier one; the
  // person has allowed typing, or has not.
  | { readonly type: "attach"; readonly channel: string; readonly typing: boolean }
  // Carry out scrollback.get, scrollback.search, command.list or command.output.
  | { readonly type: "read"; readonly id: number; readonly operation: string; readonly arguments: Record<string, unknown> }
  | { readonly type: "icon"; readonly name: string };

/** decode validates a message to the view. It throws a WireError. */
export function decode(raw: unknown): ToView {
  const m = record(raw, "message");
  switch (m["type"]) {
    case "show":
      return {
        type: "show",
        what: m["what"] === "app" || m["what"] === "terminal" || m["what"] === "question" ? m["what"] : "nothing",
        session: optional(m["session"], "show.session", string) ?? "",
        terminal: optional(m["terminal"], "show.terminal", string) ?? "",
        channel: optional(m["channel"], "show.channel", string) ?? "",
        url: optional(m["url"], "show.url", string) ?? "",
        text: optional(m["text"], "show.text", string) ?? "",
        readOnly: m["readOnly"] === true,
      };
    case "closed":
      return { type: "closed", channel: string(m["channel"], "closed.channel"), code: count(m["code"], "closed.code") };
    case "answer":
      return { type: "answer", id: count(m["id"], "answer.id"), value: m["value"], text: optional(m["text"], "answer.text", string) ?? "" };
    case "request":
      return { type: "request", id: count(m["id"], "request.id"), name: string(m["name"], "request.name"), text: optional(m["text"], "request.text", string) ?? "", value: m["value"] };
    case "icon":
      return { type: "icon", name: string(m["name"], "icon.name"), svg: optional(m["svg"], "icon.svg", string) ?? "" };
  }
  throw new WireError("unknown message to the view");
}
