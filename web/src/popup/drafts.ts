// What the person has begun to answer survives a reload of the page, in this tab.

export interface Draft {
  readonly text: string;
  readonly values: readonly string[];
}

const PREFIX = "ui-popup-draft:";

/** saveDraft keeps a draft; an empty one is forgotten. */
export function saveDraft(id: string, draft: Draft): void {
  try {
    if (draft.text === "" && draft.values.length === 0) sessionStorage.removeItem(PREFIX + id);
    else sessionStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // A browser may refuse to store; then the draft lives as long as the page.
  }
}

export function loadDraft(id: string): Draft | undefined {
  try {
    const text = sessionStorage.getItem(PREFIX + id);
    return text === null ? undefined : (JSON.parse(text) as Draft);
  } catch {
    return undefined;
  }
}

export function forgetDraft(id: string): void {
  saveDraft(id, { text: "", values: [] });
}
