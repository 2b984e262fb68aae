// Where recordings come from: a session, while it is recorded and afterwards, or a file of the
// person.

import { type Api, sessionPath } from "./api";
import { decodeSession, type Recording, type Session } from "./data/session";

/** Milliseconds between two looks whether a recording has more. */
const AGAIN = 1000;

/** A Source is a recording that can be watched. */
export interface Source {
  readonly title: string;
  /**
   * read passes the recording to add, part by part, and calls caughtUp when what there is has been
   * passed. It returns at the end of the recording, which may be minutes later if it is being
   * written.
   */
  read(signal: AbortSignal, add: (part: Uint8Array<ArrayBuffer>) => void, caughtUp: () => void): Promise<void>;
  /** save saves the recording as a file; left out: it is one. */
  readonly save?: () => Promise<void>;
}

/** ofSession is the recording that a session keeps. */
export function ofSession(api: Api, session: Session, { id }: Recording): Source {
  return {
    title: session.name,
    async read(signal, add, caughtUp) {
      for (let offset = 0, before = -1; ; before = offset) {
        const { recording } = decodeSession(await api.wait(sessionPath(session.id), signal), 0) ?? {};
        await api.download(sessionPath(session.id, `/recording?${new URLSearchParams({ id, offset: String(offset) }).toString()}`), signal, (part) => {
          offset += part.length;
          add(part);
        });
        caughtUp();
        if (recording?.active !== true && offset === before) return; // its end may have been on its way
        await pause(signal);
      }
    },
    save: () => save(api, session, id),
  };
}

/** pause waits until it is time to look again. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AGAIN));
  signal.throwIfAborted();
}

/** save lets the browser save the recording of a session as a file. */
export async function save(api: Api, session: Session, id: string): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  await api.download(sessionPath(session.id, `/recording?${new URLSearchParams({ id }).toString()}`), new AbortController().signal, (part) => parts.push(part));
  const address = URL.createObjectURL(new Blob(parts, { type: "application/x-asciicast" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${session.name.replace("/", "-")}.cast`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser has opened it long before
}

/** ofFile is a file that the person has chosen. */
export function ofFile(file: File): Source {
  return {
    title: file.name,
    async read(signal, add, caughtUp) {
      const reader = file.stream().getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) break;
        add(value);
      }
      caughtUp();
    },
  };
}
