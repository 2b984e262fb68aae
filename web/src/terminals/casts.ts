// Where recordings come from: a session, while it is recorded and afterwards, the server's folder,
// or a file of the person.

import { bytesOf } from "../data/base64";
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

/** A Kept is a recording that the server keeps. */
export interface Kept extends Source {
  save(): Promise<void>;
}

/**
 * A Read passes what there is of a recording from an offset on. It returns the offset after that, and
 * whether there may be more later.
 */
type Read = (offset: number, signal: AbortSignal, add: (part: Uint8Array<ArrayBuffer>) => void) => Promise<{ readonly next: number; readonly live: boolean }>;

function kept(title: string, file: string, from: Read): Kept {
  return {
    title,
    async read(signal, add, caughtUp) {
      for (let at = { next: 0, live: true }; ;) {
        at = await from(at.next, signal, add);
        caughtUp();
        if (!at.live) return;
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        signal.throwIfAborted();
      }
    },
    async save() {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      await from(0, new AbortController().signal, (part) => parts.push(part));
      const address = URL.createObjectURL(new Blob(parts, { type: "application/x-asciicast" }));
      const link = document.createElement("a");
      link.href = address;
      link.download = file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser has opened it long before
    },
  };
}

/** ofSession is the recording that a session keeps. */
export function ofSession(api: Api, session: Session, { id }: Recording): Kept {
  return kept(session.name, `${session.name.replace("/", "-")}.cast`, async (offset, signal, add) => {
    const { recording } = decodeSession(await api.request("GET", sessionPath(session.id), undefined, signal), 0) ?? {};
    let next = offset;
    await api.download(sessionPath(session.id, `/recording?${new URLSearchParams({ id, offset: String(offset) }).toString()}`), signal, (part) => {
      next += part.length;
      add(part);
    });
    return { next, live: recording?.active === true || next > offset }; // its end may be on its way
  });
}

/** ofArchive is the recording in the server's folder with that name. */
export function ofArchive(api: Api, id: string): Kept {
  return kept(id, id, async (offset, signal, add) => {
    for (;;) {
      const path = `archive/${encodeURIComponent(id)}?${new URLSearchParams({ offset: String(offset) }).toString()}`;
      const { data, next, bytes, recording } = (await api.request("GET", path, undefined, signal)) as { data: string; next: number; bytes: number; recording: boolean };
      const part = bytesOf(data);
      offset += part.length;
      add(part);
      if (part.length === 0 || next >= bytes) return { next: offset, live: recording };
    }
  });
}

/** ofFile is a file that the person has chosen. */
export function ofFile(file: File): Source {
  return {
    title: file.name,
    async read(signal, add, caughtUp) {
      await file.stream().pipeTo(new WritableStream({ write: add }), { signal });
      caughtUp();
    },
  };
}
