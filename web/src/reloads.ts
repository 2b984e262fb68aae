// A page whose protocol differs from the server's reloads itself, but only once.

import { store, stored } from "./storage";

const KEY = "ui-reloaded-for";

/** Reloads remembers, for the life of the tab, which protocol it last reloaded for. */
export class Reloads {
  /** reload reloads the page unless that was tried for this protocol before. It reports whether it did. */
  reload(proto: number): boolean {
    if (stored("sessionStorage", KEY) === String(proto)) return false;
    if (!store("sessionStorage", KEY, String(proto))) return false; // the page could reload for ever
    location.reload();
    return true;
  }

  /** matched records that page and server speak the same protocol. */
  matched(): void {
    store("sessionStorage", KEY, undefined);
  }
}
