// The page's address: which session is selected, and how the panes are laid out.

import { has, type Layout, parse, print } from "./layout";
import { isSession } from "./hosts";

/** readRoute reads the address of the page; base is the server's address, which ends in a slash. */
export function readRoute(address: string, base: string): { readonly session?: string; readonly layout?: Layout } {
  const url = new URL(address);
  const root = new URL(base).pathname;
  const path = url.pathname.startsWith(root) ? url.pathname.slice(root.length) : "";
  const [folder, ...encoded] = path.replace(/\/$/, "").split("/");
  const name = decode(encoded.join("/")); // a proxy may have decoded the slash in the name of a session of another server
  if (folder !== "s" || name === undefined || !isSession(name)) return {};
  const panes = url.searchParams.get("panes");
  const layout = panes === null ? undefined : parse(panes);
  return { session: name, layout: layout !== undefined && has(layout, name) ? layout : name };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** printRoute returns the address for a selected session and its layout, relative to the base. */
export function printRoute(session: string | undefined, layout: Layout | undefined): string {
  if (session === undefined || layout === undefined) return "./";
  return typeof layout === "string" ? `s/${encodeURIComponent(session)}` : `s/${encodeURIComponent(session)}?panes=${encodeURIComponent(print(layout)).replaceAll("%2C", ",")}`;
}

/**
 * takeToken returns the token in a fragment, and the fragment without it. Tokens come in fragments,
 * which browsers send to no server.
 */
export function takeToken(hash: string): { readonly token?: string; readonly rest: string } {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const token = params.get("token") ?? "";
  params.delete("token");
  const rest = params.toString();
  return { ...(token === "" ? {} : { token }), rest: rest === "" ? "" : `#${rest}` };
}

/** shareLink returns a link to a session, or to all of them, that brings a token with it. */
export function shareLink(base: string, session: string | undefined, token: string): string {
  const url = new URL(session === undefined ? "./" : `s/${encodeURIComponent(session)}`, base);
  url.hash = new URLSearchParams({ token }).toString();
  return url.href;
}
