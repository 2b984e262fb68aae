// The messages between a page of an app and the frame with the questions in it. The two have
// different origins. The messages say how much room the frame needs and gets, and nothing about
// questions and answers: the page belongs to an app, which the person has no reason to trust with
// either. This file does not use the DOM.

import { boolean, count, excerpt, parse, WireError } from "../data/validate";

/** Mode is how much of the page the frame covers: nothing, a corner, or all of it. */
export type Mode = "none" | "corner" | "dialog";

/** FromFrame is what the frame wants of its page. */
export interface FromFrame {
  readonly type: "ui-question";
  readonly mode: Mode;
  readonly asked: boolean; // the person has asked for the dialog, so that it need not wait
  readonly focus: boolean; // the corner is to get the keyboard focus
  readonly width: number; // of the corner, in CSS pixels
  readonly height: number; // of the corner, or of the dialog as a whole
  readonly waiting: number; // questions without an answer
  readonly called: number; // how many times the person has been called so far
  readonly notify: boolean; // the person wants desktop notifications
}

/** FromPage is what the page grants. */
export interface FromPage {
  readonly type: "ui-question";
  readonly mode: Mode;
  readonly dark: boolean;
  readonly focused: boolean; // the page has the keyboard focus
  readonly canNotify: boolean; // the person can be asked to allow notifications
}

/** fromFrame validates a message to the page, which throws a WireError. */
export function fromFrame(data: unknown): FromFrame {
  const m = parse(text(data));
  return {
    type: "ui-question", mode: mode(m["mode"]), asked: boolean(m["asked"], "asked"), focus: boolean(m["focus"], "focus"),
    width: count(m["width"], "width"), height: count(m["height"], "height"), waiting: count(m["waiting"], "waiting"),
    called: count(m["called"], "called"), notify: boolean(m["notify"], "notify"),
  };
}

/** fromPage validates a message to the frame, which throws a WireError. */
export function fromPage(data: unknown): FromPage {
  const m = parse(text(data));
  return {
    type: "ui-question", mode: mode(m["mode"]), dark: boolean(m["dark"], "dark"),
    focused: boolean(m["focused"], "focused"), canNotify: boolean(m["canNotify"], "canNotify"),
  };
}

function text(data: unknown): string {
  if (typeof data !== "string") throw new WireError("the message is not a string");
  return data;
}

function mode(raw: unknown): Mode {
  if (raw === "none" || raw === "corner" || raw === "dialog") return raw;
  throw new WireError(`mode must be none, corner or dialog, not ${excerpt(raw)}`);
}
