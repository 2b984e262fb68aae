// A page that is older or newer than its server loads itself again, but not
// for ever.

const KEY = "ui-reloaded-for";

/** Reloads remembers, for the life of the tab, for which protocol it was loaded again. */
export class Reloads {
  /** reload loads the page again, unless that was tried for this protocol before. It reports which. */
  reload(proto: number): boolean {
    try {
      if (sessionStorage.getItem(KEY) === String(proto)) return false;
      sessionStorage.setItem(KEY, String(proto));
    } catch {
      return false; // no storage, so no way to know whether it was tried
    }
    location.reload();
    return true;
  }

  /** fits: page and server understand each other. */
  fits(): void {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Without storage there is nothing to remove.
    }
  }
}
