// What happens when the person sends a form.

/** Submission is what a form that is sent does: it loads its address or this page again, or closes its dialog. */
export type Submission = "address" | "page" | "dialog";

/** submissionOf returns what an event of type submit leads to, unless it is prevented. */
export function submissionOf(event: SubmitEvent): Submission {
  const form = event.target as HTMLFormElement; // whose properties may be its fields
  const { submitter } = event;
  const method = submitter?.getAttribute("formmethod") ?? form.getAttribute("method");
  if (method?.toLowerCase() === "dialog") return "dialog";
  return form.hasAttribute("action") || submitter?.hasAttribute("formaction") === true ? "address" : "page";
}
