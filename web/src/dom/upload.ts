// File fields whose content is sent.

import { base64Of } from "../data/base64";
import type { Value } from "../data/value";
import type { Control } from "./control";

/** MAX_FILE bounds a file whose content is sent, in bytes; the server has the same bound. */
export const MAX_FILE = 1 << 20;

const PATIENCE = 30_000; // milliseconds that reading a file may take: it may be on another machine

const contents = new WeakMap<File, Value>(); // of the files that have been read

/** upload is a control whose value is a file with its content, as docs/protocol.md describes it. */
export const upload: Control = {
  input: "input",
  commit: "change",
  read: (e) => {
    const file = chosen(e);
    return file === undefined ? null : (contents.get(file) ?? [file.name, file.type, file.size]);
  },
  write: (e, v) => {
    // A page can only clear a file field.
    if (chosen(e)?.name !== v) (e as HTMLInputElement).value = "";
  },
  pending: (e) => {
    const file = chosen(e);
    return file !== undefined && !contents.has(file);
  },
  load: async (e) => {
    const file = chosen(e);
    if (file === undefined || contents.has(file)) return "read";
    if (file.size > MAX_FILE) return "file";
    let bytes: Uint8Array | undefined;
    try {
      bytes = new Uint8Array(await Promise.race([file.arrayBuffer(), late()]));
    } catch {
      // It was removed, changed, may not be read, or takes too long.
    }
    if (chosen(e) !== file) return "replaced";
    if (bytes === undefined) return "unreadable";
    const text = textOf(bytes);
    const what = [file.name, file.type, file.size];
    contents.set(file, text === undefined ? [...what, false, base64Of(bytes)] : [...what, text]);
    return "read";
  },
};

/** late rejects when reading has taken too long: what waits for it must not wait for ever. */
function late(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, PATIENCE));
}

function chosen(element: Element): File | undefined {
  return (element as HTMLInputElement).files?.[0];
}

/** textOf returns UTF-8 as text, without a byte order mark; undefined for other bytes. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined; // text never has it, and other data often have
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
