// The recordings in the server's folder, in which it records what all programs write: a list to
// watch and download them.

import { ofArchive } from "./casts";
import { bytes } from "./data/playback";
import { ago } from "./data/session";
import { h, keep, on, setText, tool } from "./html";
import type { Page } from "./page";

type Needs = Pick<Page, "api" | "attempt" | "watch">;

/** Archived is a recording in the folder. */
export interface Archived {
  readonly id: string; // the name of its file
  readonly session: string;
  readonly recording: boolean;
  readonly bytes: number;
  readonly age_ms: number;
}

/** ArchiveList lists the recordings in the folder; without any, it displays nothing. */
export class ArchiveList {
  readonly element: HTMLElement;
  readonly #page: Needs;
  readonly #list = h("ul", { class: "recordings", "aria-label": "Recordings in the server’s folder" });
  readonly #more = h("p", { class: "hint" });
  readonly #rows = new Map<string, { readonly element: HTMLElement; readonly about: HTMLElement }>();
  #busy = false; // a request has not been answered

  constructor(page: Needs) {
    this.#page = page;
    this.element = h("section", { hidden: true }, h("h3", {}, "In the server’s folder"), this.#list, this.#more);
  }

  /** refresh asks the server what is in the folder. An error leaves the list as it is. */
  async refresh(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const { recordings, left_out } = (await this.#page.api.request("GET", "archive")) as { recordings: readonly Archived[]; left_out?: number };
      this.#draw(recordings, left_out ?? 0);
    } catch {
      // The dialog says when the server is away.
    } finally {
      this.#busy = false;
    }
  }

  #draw(recordings: readonly Archived[], more: number): void {
    keep(this.#list, this.#rows, recordings, ({ id }) => id, (recording) => this.#row(recording), (row, recording) => {
      row.element.dataset["active"] = String(recording.recording);
      setText(row.about, describe(recording));
    });
    setText(this.#more, more === 0 ? "" : `${more} older ones are in the folder, too.`);
    this.#more.hidden = more === 0;
    this.element.hidden = recordings.length === 0;
  }

  #row({ id, session }: Archived) {
    const source = ofArchive(this.#page.api, id);
    const about = h("span", { class: "hint" });
    const element = h(
      "li", { "data-file": id }, h("span", {}, h("b", {}, session), about),
      on(h("button", { type: "button", "aria-label": `Watch ${id}` }, "Watch"), "click", () => this.#page.watch(source)),
      tool("download", `Download ${id}`, () => void this.#page.attempt(source.save)),
    );
    return { element, about };
  }
}

/** describe describes a recording in one line. */
function describe({ recording, bytes: size, age_ms }: Archived): string {
  const age = ago(0, age_ms);
  const when = age === "now" ? "begun just now" : `begun ${age} ago`;
  return [recording ? `recording, ${when}` : when, bytes(size)].join(" · ");
}
