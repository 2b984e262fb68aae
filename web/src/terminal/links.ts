// Links in a terminal. Programs choose what they say and where they lead, so a link is opened only
// after the person has seen the address.

import { confirm } from "./confirm";
import { addresses, linkOf } from "./data/text";
import type { Terminal, XLink } from "./xterm";

/** openLink opens an address if the person agrees, by default in a new tab. */
export async function openLink(host: HTMLElement, text: string, open: (address: string) => void = openTab): Promise<void> {
  const address = linkOf(text);
  if (address === undefined) {
    await confirm(host, { title: "This link is not opened", text: "Only addresses of http, https and mailto are opened.", literal: text, yes: "OK" });
  } else if (await confirm(host, { title: "Open this address?", literal: address, yes: "Open" })) {
    open(address);
  }
}

function openTab(address: string): void {
  window.open(address, "_blank", "noopener,noreferrer");
}

/** watchLinks lets the person open addresses in the text. */
export function watchLinks(terminal: Terminal, host: HTMLElement, open?: (address: string) => void): void {
  terminal.registerLinkProvider({
    provideLinks(y, callback) {
      callback(linksAt(terminal, y - 1).map(({ range, text }): XLink => ({ range, text, activate: (_, address) => void openLink(host, address, open) })));
    },
  });
}

/** linksAt finds the addresses in a row of the buffer, which counts from 0. */
function linksAt(terminal: Terminal, y: number): Pick<XLink, "range" | "text">[] {
  const line = terminal.buffer.active.getLine(y);
  if (line === undefined) return [];
  // Where each UTF-16 unit of the text is: cells may have several, or none beside a wide one.
  let text = "";
  const columns: number[] = [];
  for (let x = 0; x < line.length; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const chars = cell.getChars() || " ";
    for (let i = 0; i < chars.length; i++) columns.push(x + 1);
    text += chars;
  }
  return addresses(text).map(({ at, text: found }) => ({
    text: found, range: { start: { x: columns[at]!, y: y + 1 }, end: { x: columns[at + found.length - 1]!, y: y + 1 } },
  }));
}
