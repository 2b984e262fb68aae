// Where recordings come from: a session, the server's folder, or a file of the person.

import { bytesOf } from "../data/base64";
import { type Api, sessionPath } from "./api";
import type { Recording, Session } from "./data/session";

/** A Source is a recording that can be watched. */
export interface Source {
  readonly title: string;
  /** read returns what there is of the recording. */
  read(signal: AbortSignal): Promise<Blob>;
  /** save saves the recording as a file; left out: it is one. */
  readonly save?: () => Promise<void>;
}

/** A Kept is a recording that the server keeps. */
export interface Kept extends Source {
  save(): Promise<void>;
}

function kept(title: string, file: string, read: Source["read"]): Kept {
  return {
    title,
    read,
    async save() {
      const address = URL.createObjectURL(await read(new AbortController().signal));
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
  const path = sessionPath(session.id, `/recording?${new URLSearchParams({ id }).toString()}`);
  return kept(session.name, `${session.name.replace("/", "-")}.cast`, (signal) => api.download(path, signal));
}

/** ofArchive is the recording in the server's folder with that name. */
export function ofArchive(api: Api, id: string): Kept {
  return kept(id, id, async (signal) => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let offset = 0; ; ) {
      const path = `archive/${encodeURIComponent(id)}?${new URLSearchParams({ offset: String(offset) }).toString()}`;
      const { data, next, bytes } = (await api.request("GET", path, undefined, signal)) as { data: string; next: number; bytes: number };
      const part = bytesOf(data);
      parts.push(part);
      offset += part.length;
      if (part.length === 0 || next >= bytes) return new Blob(parts);
    }
  });
}

/** ofFile is a file that the person has chosen. */
export function ofFile(file: File): Source {
  return { title: file.name, read: () => Promise.resolve(file) };
}
