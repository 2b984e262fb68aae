// Where recordings come from: a session, while it is recorded and afterwards, or a file of the
// person.

import { type Api, Refusal, sessionPath } from "./api";
import type { Recording, Session } from "./data/session";

/** Milliseconds for which the server waits for more of a recording, which is as long as it does. */
const WAIT = 300_000;

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
  const query = (more: Readonly<Record<string, string>>): string => new URLSearchParams({ id, ...more }).toString();
  return {
    title: session.name,
    async read(signal, add, caughtUp) {
      let offset = 0;
      for (;;) {
        await api.download(sessionPath(session.id, `/recording?${query({ offset: String(offset) })}`), signal, (part) => {
          offset += part.length;
          add(part);
        });
        caughtUp();
        const { recording, bytes } = await more(api, sessionPath(session.id, `/recording/next?${query({ offset: String(offset), max_wait_ms: String(WAIT) })}`), signal);
        if (!recording && bytes <= offset) return;
      }
    },
    save: () => save(api, session, id),
  };
}

/** more waits until a recording has more, or has ended. */
async function more(api: Api, path: string, signal: AbortSignal): Promise<{ readonly recording: boolean; readonly bytes: number }> {
  for (;;) {
    try {
      const { recording, bytes } = ((await api.wait(path, signal)) ?? {}) as { recording?: unknown; bytes?: unknown };
      return { recording: recording === true, bytes: Number(bytes) };
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 408)) throw error;
    }
  }
}

/** save lets the browser save the recording of a session as a file. */
export async function save(api: Api, session: Session, id: string): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  await api.download(sessionPath(session.id, `/recording?${new URLSearchParams({ id }).toString()}`), new AbortController().signal, (part) => parts.push(part));
  const address = URL.createObjectURL(new Blob(parts, { type: "application/x-asciicast" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${session.name}.cast`;
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
