// Fields in which the person types text.

const TYPES = new Set(["date", "datetime-local", "email", "month", "number", "password", "search", "tel", "text", "time", "url", "week"]);

/** isTextField reports whether the person types text into the target of a key. */
export function isTextField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return TYPES.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
