// Drafts of answers, which survive a reload of the tab.

import { store, stored } from "../storage";

export interface Draft {
  readonly text: string;
  readonly values: readonly string[];
}

const PREFIX = "ui-popup-draft:";

/** saveDraft stores a draft, or deletes the stored one if draft is empty. */
export function saveDraft(id: string, draft: Draft): void {
  store("sessionStorage", PREFIX + id, draft.text === "" && draft.values.length === 0 ? undefined : JSON.stringify(draft));
}

export function loadDraft(id: string): Draft | undefined {
  try {
    const text = stored("sessionStorage", PREFIX + id);
    return text === undefined ? undefined : (JSON.parse(text) as Draft);
  } catch {
    return undefined;
  }
}

export function forgetDraft(id: string): void {
  saveDraft(id, { text: "", values: [] });
}
