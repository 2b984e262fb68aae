// How questions have ended, in words.

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
