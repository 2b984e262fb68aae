// The address of the document with a terminal.

export interface TerminalAttributes {
  readonly session: string;
  readonly rows: number | undefined;
  readonly cols: number | undefined;
  readonly readOnly: boolean;
  readonly fit: boolean;
  readonly overview: boolean;
}

/** mayBeSession is whether a session may have that name or ID. */
export function mayBeSession(name: string): boolean {
  return /^(?!\.{1,2}$)@?[\p{L}\p{Nd}_.-]{1,64}$/u.test(name);
}

/**
 * terminalAddress returns the address of the document with a terminal, for a page at a location. It
 * begins with the colours of a palette; "" leaves that to the document. Pages of apps are at
 * 127.0.0.1 and terminals at localhost: the same server, but another origin. A page of which a
 * program takes pictures has a name of its own below localhost, which serves pictures of terminals.
 */
export function terminalAddress({ protocol, port, hostname }: Pick<Location, "protocol" | "port" | "hostname">, a: TerminalAttributes, palette = ""): string {
  const query = [];
  if (a.overview) query.push("overview");
  else if (a.readOnly) query.push("readonly");
  else if (a.fit) query.push("fit");
  if (palette !== "") query.push(`palette=${palette}`);
  const host = hostname.endsWith(".localhost") ? hostname : "localhost";
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}/terminals/frame/${encodeURIComponent(a.session)}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}
