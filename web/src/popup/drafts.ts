// Drafts of answers, which survive a reload of the tab.

export interface Draft {
  readonly text: string;
  readonly values: readonly string[];
}

const PREFIX = "ui-popup-draft:";

/** saveDraft stores a draft, or deletes the stored one if draft is empty. */
export function saveDraft(id: string, draft: Draft): void {
  try {
    if (draft.text === "" && draft.values.length === 0) sessionStorage.removeItem(PREFIX + id);
    else sessionStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // Without storage the draft lives as long as the page.
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
