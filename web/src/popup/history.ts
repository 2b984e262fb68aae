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
  const list = make("ol", "history");
  for (const past of history) {
    const item = make("li");
    const time = make("time", "", new Date(past.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
    time.dateTime = new Date(past.at).toISOString();
    item.append(time, make("span", "asked", past.title), make("span", `outcome ${past.outcome}`, outcomeOf(past)));
    list.append(item);
  }
  return list;
}
