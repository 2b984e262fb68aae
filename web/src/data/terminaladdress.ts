// The address of the document with a terminal.

/** TerminalAttributes are the attributes of <ui-terminal>. */
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
 * 127.0.0.1 and terminals at localhost: the same server, but another origin.
 */
export function terminalAddress({ protocol, port }: Pick<Location, "protocol" | "port">, a: TerminalAttributes, palette = ""): string {
  const query = [];
  if (a.overview) query.push("overview");
  else if (a.readOnly) query.push("readonly");
  else if (a.fit) query.push("fit");
  if (palette !== "") query.push(`palette=${palette}`);
  return `${protocol}//localhost${port === "" ? "" : `:${port}`}/terminals/frame/${encodeURIComponent(a.session)}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}
