// The files that the person adds to an answer: chosen, dropped or pasted.

import { base64Of } from "../data/base64";
import { button, make } from "../elements";
import type { AddedFile } from "./wire";

const MAX_BYTES = 3 << 20; // of all files; the server has the same bound

/** Added is the control that files are added with, and the list of those that are there. */
export class Added {
  readonly element = make("div", "files");
  readonly #most: number;
  readonly #fail: (text: string) => void;
  readonly #list = make("ul", { class: "added", "aria-label": "Files of your answer" });
  readonly #input = make("input", { type: "file", hidden: true });
  readonly #choose: HTMLButtonElement;
  readonly #files: (AddedFile & { readonly size: number })[] = [];
  #reading = Promise.resolve();
  #refused = 0; // counts the files that were not taken

  /** fail is called with why a file is not added; "" takes that back. */
  constructor(most: number, fail: (text: string) => void) {
    this.#most = most;
    this.#fail = fail;
    this.#input.multiple = most > 1;
    this.#input.addEventListener("change", () => {
      this.#add([...(this.#input.files ?? [])]);
      this.#input.value = "";
    });
    this.#choose = button("quiet choose", most > 1 ? "Add files…" : "Add a file…", () => this.#input.click(), "Choose files, drop them here, or paste a picture");
    this.element.append(this.#list, this.#choose, this.#input);
  }

  /** listen takes what is dropped on an element or pasted into it. */
  listen(element: HTMLElement): void {
    const has = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;
    element.addEventListener("dragover", (event) => { if (has(event)) event.preventDefault(); });
    element.addEventListener("drop", (event) => {
      if (!has(event)) return;
      event.preventDefault();
      this.#add([...(event.dataTransfer?.files ?? [])]);
    });
    element.addEventListener("paste", ({ clipboardData }) => {
      // Text of some programs comes with a picture of itself.
      if (clipboardData?.types.includes("text/plain") !== true) this.#add([...(clipboardData?.files ?? [])]);
    });
  }

  /** files resolves to what is added, when all of it is read; to undefined if a file was refused meanwhile. */
  async files(): Promise<readonly AddedFile[] | undefined> {
    const refused = this.#refused;
    for (let read; read !== this.#reading; ) await (read = this.#reading);
    if (this.#refused > refused) return undefined;
    return this.#files.map(({ name, mime, data }) => ({ name, mime, data }));
  }

  get any(): boolean {
    return this.#list.childElementCount > 0;
  }

  #add(files: readonly File[]): void {
    for (const file of files) {
      const item = make("li", "", file.name);
      if (this.#list.childElementCount >= this.#most) {
        this.#refused++;
        return this.#fail(`At most ${this.#most} can be added.`);
      }
      this.#list.append(item);
      this.#count();
      this.#reading = this.#reading.then(() => this.#read(file, item));
    }
    if (files.length > 0) this.#fail("");
  }

  async #read(file: File, item: HTMLElement): Promise<void> {
    const total = this.#files.reduce((sum, { size }) => sum + size, file.size);
    if (total > MAX_BYTES) return this.#refuse(item, `${file.name} is too large: all files together may have 3 MiB. You can type its path instead.`);
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return this.#refuse(item, `${file.name} cannot be read.`);
    }
    const added = { name: file.name, mime: file.type, size: file.size, data: base64Of(bytes) };
    this.#files.push(added);
    if (/^image\/(png|jpeg|gif|webp)$/.test(file.type)) {
      item.prepend(make("img", { src: `data:${file.type};base64,${added.data}`, alt: "" }));
    }
    item.append(button("quiet", "✕", () => {
      this.#files.splice(this.#files.indexOf(added), 1);
      item.remove();
      this.#count();
      this.#choose.focus();
    }, `Remove ${file.name}`));
  }

  #refuse(item: HTMLElement, why: string): void {
    this.#refused++;
    item.remove();
    this.#count();
    this.#fail(why);
  }

  /** count hides what adds files while there are as many as there may be. */
  #count(): void {
    this.#choose.hidden = this.#list.childElementCount >= this.#most;
  }
}
