// The messages between a view and the server on the channel "view". Those about an app are on a
// channel of their own, and are a page's messages (../wire.ts). This file does not use the DOM.

import { any, byType, count, flag, maybe, object, oneOf, record, string, type Of } from "../data/validate";

/** Show says what the view must display. */
export type Show = Of<typeof show>;
const show = object("show", {
  type: oneOf("show"),
  what: (raw) => (raw === "app" || raw === "terminal" || raw === "question" ? raw : "nothing"),
  session: maybe(string, ""), // of an app, or of terminals; with "nothing", of a call that displays an app later or has failed
  terminal: maybe(string, ""), // the ID of the session of terminals; "" if there is none
  channel: maybe(string, ""), // of an app's messages
  url: maybe(string, ""), // of the page in the browser; "" if no page is served
  text: maybe(string, ""), // for the person, when there is nothing to show
  readOnly: flag, // nothing can be typed into the terminal
});

/** Request is something that the view should ask its host for. */
export type Request = Of<typeof request>;
const request = object("request", {
  type: oneOf("request"),
  id: count,
  name: string, // "message", "context" or "fullscreen", unless the server is newer
  text: maybe(string, ""), // of a message
  value: any, // the context, or whether to fill the window
});

/** A channel has ended. */
const closed = object("closed", { type: oneOf("closed"), channel: string, code: count });

/** The answer to a request for an icon; svg is "" if the name is unknown. */
const icon = object("icon", { type: oneOf("icon"), name: string, svg: maybe(string, "") });

/** The answer to a request that reads the history of a terminal; text is the error, or "". */
const answer = object("answer", { type: oneOf("answer"), id: count, value: any, text: maybe(string, "") });

export type ToView = ReturnType<typeof message>;

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

const message = byType({ show, request, closed, icon, answer });

/** decode validates a message to the view. It throws a WireError. */
export const decode = (raw: unknown): ToView => message(record(raw, "message"));
