// The list of past questions.

import { make } from "../elements";
import type { Past } from "./wire";

const OUTCOMES: Readonly<Record<string, string>> = {
  answered: "answered",
  default: "no reaction, default taken",
  timed_out: "no reaction in time",
  dismissed: "dismissed",
  declined: "declined",
  withdrawn: "withdrawn by the agent",
  no_human: "could not be shown",
};

/** outcomeOf describes how a question ended. */
export function outcomeOf(past: Past): string {
  const words = OUTCOMES[past.outcome] ?? past.outcome;
  return past.answer === "" ? words : `${past.outcome === "answered" ? "" : `${words}: `}${past.answer}`;
}

/** historyList returns the list, newest first. */
export function historyList(history: readonly Past[]): HTMLElement {
  return make("ol", "history", ...history.map((past) => {
    const at = new Date(past.at);
    const time = make("time", { datetime: at.toISOString() }, at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
    return make("li", {}, time, make("span", "asked", past.title), make("span", `outcome ${past.outcome}`, outcomeOf(past)));
  }));
}
