// A page whose protocol differs from the server's reloads itself, but only once in the life of the
// tab for each protocol.

import { store, stored } from "./storage";

const KEY = "ui-reloaded-for";

/** reload reloads the page unless that was tried for this protocol before. It reports whether it did. */
export function reload(proto: number): boolean {
  if (stored("sessionStorage", KEY) === String(proto)) return false;
  if (!store("sessionStorage", KEY, String(proto))) return false; // the page could reload for ever
  location.reload();
  return true;
}

/** fits records that page and server speak the same protocol. */
export function fits(): void {
  store("sessionStorage", KEY, undefined);
}
