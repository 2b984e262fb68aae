// Where recordings come from: a session, while it is recorded and afterwards, the server's folder,
// or a file of the person.

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
  offer(parts, `${session.name.replace("/", "-")}.cast`);
}

/** offer lets the browser save a recording as a file. */
function offer(parts: readonly Uint8Array<ArrayBuffer>[], name: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type: "application/x-asciicast" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser has opened it long before
}

/** ofArchive is the recording in the server's folder with that name. */
export function ofArchive(api: Api, id: string): Source & { save(): Promise<void> } {
  const from = async (offset: number, signal: AbortSignal): Promise<{ readonly part: Uint8Array<ArrayBuffer>; readonly left: boolean; readonly active: boolean }> => {
    const path = `archive/${encodeURIComponent(id)}?${new URLSearchParams({ offset: String(offset) }).toString()}`;
    const { data, next, bytes, recording } = (await api.wait(path, signal)) as { data: string; next: number; bytes: number; recording: boolean };
    const part = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    return { part, left: part.length > 0 && next < bytes, active: recording };
  };
  return {
    title: id,
    async read(signal, add, caughtUp) {
      for (let offset = 0; ;) {
        const { part, left, active } = await from(offset, signal);
        offset += part.length;
        add(part);
        if (left) continue;
        caughtUp();
        if (!active) return;
        await pause(signal);
      }
    },
    async save() {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      for (let offset = 0; ;) {
        const { part, left } = await from(offset, new AbortController().signal);
        parts.push(part);
        offset += part.length;
        if (!left) break;
      }
      offer(parts, id);
    },
  };
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
