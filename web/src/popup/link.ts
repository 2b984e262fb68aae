// The messages between a page of an app and the frame with the questions in it. The two have
// different origins. The messages say how much room the frame needs and gets, and nothing about
// questions and answers: the page belongs to an app, which the person has no reason to trust with
// either. This file does not use the DOM.

import { boolean, count, object, oneOf, parse, string, type Of } from "../data/validate";

/** Mode is how much of the page the frame covers: nothing, a corner, or all of it. */
export type Mode = Of<typeof mode>;
const mode = oneOf("none", "corner", "dialog");

const type = oneOf("ui-question");

/** FromFrame is what the frame wants of its page. */
export type FromFrame = Of<typeof wanted>;
const wanted = object("message", {
  type,
  mode,
  asked: boolean, // the person has asked for the dialog, so that it need not wait
  focus: boolean, // the corner is to get the keyboard focus
  width: count, // of the corner, in CSS pixels
  height: count, // of the corner, or of the dialog as a whole
  waiting: count, // questions without an answer
  called: count, // how many times the person has been called so far
  notify: boolean, // the person wants desktop notifications
});

/** FromPage is what the page grants. */
export type FromPage = Of<typeof granted>;
const granted = object("message", {
  type,
  mode,
  dark: boolean,
  focused: boolean, // the page has the keyboard focus
  canNotify: boolean, // the person can be asked to allow notifications
});

/** fromFrame validates a message to the page, which throws a WireError. */
export function fromFrame(data: unknown): FromFrame {
  return wanted(parse(string(data, "the message")), "message");
}

/** fromPage validates a message to the frame, which throws a WireError. */
export function fromPage(data: unknown): FromPage {
  return granted(parse(string(data, "the message")), "message");
}
