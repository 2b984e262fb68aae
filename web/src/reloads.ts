// A page whose protocol differs from the server's reloads itself, but only once.

const KEY = "ui-reloaded-for";

/** Reloads remembers, for the life of the tab, which protocol it last reloaded for. */
export class Reloads {
  /** reload reloads the page unless that was tried for this protocol before. It reports whether it did. */
  reload(proto: number): boolean {
    try {
      if (sessionStorage.getItem(KEY) === String(proto)) return false;
      sessionStorage.setItem(KEY, String(proto));
    } catch {
      return false; // without storage the page could reload for ever
    }
    location.reload();
    return true;
  }

  /** matched records that page and server speak the same protocol. */
  matched(): void {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Without storage there is nothing to remove.
    }
  }
}
