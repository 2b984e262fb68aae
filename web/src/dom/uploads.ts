// Files that the person uploads to the app, each with a card that says how far it is.

import { button, make } from "../elements";
import { observed } from "./observed";
import type { UnsavedList } from "./unsaved";

/** MAX_UPLOAD bounds a file, in bytes; the server has the same bound. */
export const MAX_UPLOAD = 100 << 20;

const SHOWN_AFTER = 300; // milliseconds that an upload may take before it has a card

interface Upload {
  readonly ended: (arrived: boolean) => void;
  readonly card: Card;
  readonly request: XMLHttpRequest; // unlike fetch, it says how much has been sent
}

export interface UploadsParts {
  /** address is where files are sent; undefined: the page cannot send any. */
  readonly address: string | undefined;
  /** seen returns the life of the session that is displayed and the number of its last batch; undefined without a connection. */
  readonly seen: () => { readonly epoch: string; readonly seq: number } | undefined;
  readonly cards: () => UnsavedList;
}

/** Uploads sends files. What is not wholly there, the server does not keep. */
export class Uploads {
  readonly #parts: UploadsParts;
  readonly #running = new Set<Upload>();

  constructor(parts: UploadsParts, signal: AbortSignal) {
    this.#parts = parts;
    window.addEventListener("beforeunload", (event) => { if (this.#running.size > 0) event.preventDefault(); }, { signal });
    signal.addEventListener("abort", () => {
      for (const upload of this.#running) this.#end(upload, false);
    });
  }

  /**
   * start sends a file to a binding. ended is called at the end, with whether the app has got it. The
   * function that is returned cancels the upload while it is on its way.
   */
  start(file: File, instance: number, slot: number, ended: (arrived: boolean) => void): () => void {
    if (observed) return () => {};
    const { address, seen, cards } = this.#parts;
    const upload: Upload = { ended, card: new Card(file, cards()), request: new XMLHttpRequest() };
    const { request, card } = upload;
    const now = seen();
    let why = "";
    if (address === undefined) why = "A view in a conversation cannot upload files: open the page in the browser.";
    else if (file.size > MAX_UPLOAD) why = `It is too large: at most ${MAX_UPLOAD >> 20} MiB can be uploaded.`;
    else if (now === undefined) why = "The page is not connected. Choose it again when it is.";
    const end = (arrived: boolean): void => {
      if (this.#running.has(upload)) this.#end(upload, arrived);
    };
    if (now === undefined || why !== "") {
      this.#fail(upload, why);
      return () => {};
    }
    this.#running.add(upload);
    card.begins(() => end(false));
    const query = new URLSearchParams({
      epoch: now.epoch, seq: String(now.seq), name: file.name, type: file.type, instance: String(instance), slot: String(slot),
    });
    request.open("POST", `${address}?${query}`);
    request.upload.onprogress = ({ loaded }) => card.sent(loaded);
    request.onload = () => (request.status === 204 ? end(true) : this.#fail(upload, reasonOf(request)));
    request.onerror = () => this.#fail(upload, "The connection broke, or the file cannot be read.");
    request.send(file);
    return () => end(false);
  }

  #fail(upload: Upload, why: string): void {
    this.#running.delete(upload);
    upload.card.failed(why);
    upload.ended(false);
  }

  #end(upload: Upload, arrived: boolean): void {
    this.#running.delete(upload);
    upload.card.remove(arrived);
    upload.request.abort();
    upload.ended(arrived);
  }
}

/** Card is what the person sees of one upload. */
class Card {
  readonly #file: File;
  readonly #list: UnsavedList;
  readonly #title = make("h2");
  readonly #why = make("p", "why");
  readonly #bar = make("progress");
  readonly #actions = make("div", "actions");
  readonly #element = make("li", {}, this.#title, this.#why, this.#bar, this.#actions);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(file: File, list: UnsavedList) {
    this.#file = file;
    this.#list = list;
    this.#bar.setAttribute("aria-label", file.name);
  }

  begins(cancel: () => void): void {
    this.#title.textContent = `Uploading ${this.#file.name}`;
    this.#element.className = "upload";
    this.#bar.hidden = false;
    this.sent(0);
    this.#actions.replaceChildren(button("", "Cancel", cancel));
    this.#timer = setTimeout(() => this.#list.post(this.#element), SHOWN_AFTER);
  }

  sent(bytes: number): void {
    const { size } = this.#file;
    this.#bar.value = size === 0 ? 1 : Math.min(bytes / size, 1);
    this.#why.textContent = `${Math.floor(this.#bar.value * 100)} % of ${sizeOf(size)}`;
  }

  failed(why: string): void {
    this.#title.textContent = `Not uploaded: ${this.#file.name}`;
    this.#element.className = "";
    this.#why.textContent = why;
    this.#bar.hidden = true;
    this.#actions.replaceChildren(button("dismiss", "Dismiss", () => this.remove(false)));
    this.#list.post(this.#element, `${this.#title.textContent}. ${why}`);
  }

  /** remove removes the card. arrived: it is said that the file has arrived, if the card was there. */
  remove(arrived: boolean): void {
    clearTimeout(this.#timer);
    this.#list.remove(this.#element, arrived && this.#element.isConnected ? `${this.#file.name} has been uploaded.` : "");
  }
}

function reasonOf({ status, responseText }: XMLHttpRequest): string {
  try {
    const { error } = JSON.parse(responseText) as { error?: unknown };
    if (typeof error === "string" && error !== "") return `${error[0]?.toUpperCase()}${error.slice(1)}.`;
  } catch {
    // It is not from our server.
  }
  return `The server answered ${status}.`;
}

function sizeOf(bytes: number): string {
  return bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}
