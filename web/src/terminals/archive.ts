// The recordings in the server's folder, in which it records what all programs write: a list to
// watch and download them.

import type { App } from "./app";
import { ofArchive } from "./casts";
import { bytes } from "./data/playback";
import { ago } from "./data/session";
import { h, keep, on, setText, tool } from "./html";

type Needs = Pick<App, "api" | "attempt" | "watch">;

/** Archived is a recording in the folder. */
interface Archived {
  readonly id: string; // the name of its file
  readonly session: string;
  readonly recording: boolean;
  readonly bytes: number;
  readonly age_ms: number;
}

/**
 * archiveList lists the recordings in the folder; without any, it displays nothing. refresh asks the
 * server what is in the folder. An error leaves the list as it is.
 */
export function archiveList(page: Needs): { readonly element: HTMLElement; readonly refresh: () => Promise<void> } {
  const list = h("ul", { class: "recordings", "aria-label": "Recordings in the server’s folder" });
  const more = h("p", { class: "hint" });
  const element = h("section", { hidden: true }, h("h3", {}, "In the server’s folder"), list, more);
  const rows = new Map<string, ReturnType<typeof rowOf>>();
  let busy = false; // a request has not been answered
  const refresh = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const { recordings, left_out: left = 0 } = (await page.api.request("GET", "archive")) as { recordings: readonly Archived[]; left_out?: number };
      keep(list, rows, recordings, ({ id }) => id, (recording) => rowOf(recording, page), (row, recording) => {
        row.element.dataset["active"] = String(recording.recording);
        setText(row.about, describe(recording));
      });
      setText(more, left === 0 ? "" : `${left} older ones are in the folder, too.`);
      more.hidden = left === 0;
      element.hidden = recordings.length === 0;
    } catch {
      // The dialog says when the server is away.
    } finally {
      busy = false;
    }
  };
  return { element, refresh };
}

function rowOf({ id, session }: Archived, page: Needs) {
  const source = ofArchive(page.api, id);
  const about = h("span", { class: "hint" });
  const element = h(
    "li", { "data-file": id }, h("span", {}, h("b", {}, session), about),
    on(h("button", { type: "button", "aria-label": `Watch ${id}` }, "Watch"), "click", () => page.watch(source)),
    tool("download", `Download ${id}`, () => void page.attempt(source.save)),
  );
  return { element, about };
}

/** describe describes a recording in one line. */
function describe({ recording, bytes: size, age_ms }: Archived): string {
  const age = ago(0, age_ms);
  const when = age === "now" ? "begun just now" : `begun ${age} ago`;
  return [recording ? `recording, ${when}` : when, bytes(size)].join(" · ");
}
