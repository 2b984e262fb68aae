// The recordings that sessions keep: a list to watch, download and delete them.

import { sessionPath } from "./api";
import type { App } from "./app";
import { archiveList } from "./archive";
import { ofFile, ofSession } from "./casts";
import { bytes } from "./data/playback";
import { ago, type Recording, type Session } from "./data/session";
import { compare } from "./data/sessions";
import { openDialog } from "./dialogs";
import { h, keep, on, setText, tool } from "./html";

type Needs = Pick<App, "api" | "attempt" | "refresh" | "rights" | "sessions" | "stale" | "toast" | "watch">;

/** Recordings are the recordings of all sessions. */
export class Recordings {
  readonly #page: Needs;

  constructor(page: Needs) {
    this.#page = page;
  }

  /** open lists the recordings. */
  open(): void {
    const page = this.#page;
    const list = h("ul", { class: "recordings", "aria-label": "Recordings" });
    const state = h("p", { class: "hint", role: "status" });
    const file = h("input", { type: "file", accept: ".cast,application/x-asciicast", "aria-label": "Recording", hidden: true });
    on(file, "change", () => {
      const chosen = file.files?.[0];
      if (chosen !== undefined) page.watch(ofFile(chosen));
      file.value = "";
    });
    const choose = on(h("button", { type: "button" }, "Watch a file…"), "click", () => file.click());
    const rows = new Map<string, ReturnType<typeof rowOf>>();
    const archive = archiveList(page);
    openDialog({
      title: "Recordings", wide: true,
      content: [list, state, archive.element, h("div", { class: "buttons start" }, choose, file), h("p", { class: "hint" }, "A recording has what the program wrote. One that a session keeps goes with its session, so download what you want to keep.")],
      draw: () => {
        const mayManage = page.rights.may("manage");
        const kept = page.sessions.all.flatMap((session) => (session.recording === undefined ? [] : [{ session, recording: session.recording }]));
        kept.sort((a, b) => Number(b.recording.active) - Number(a.recording.active) || compare(a.session.name, b.session.name));
        keep(list, rows, kept, ({ session }) => session.name, ({ session }) => rowOf(session, this), (row, { session, recording }) => {
          row.session = session;
          row.element.dataset["active"] = String(recording.active);
          setText(row.about, describe(recording, Date.now()));
          row.stop.hidden = !recording.active || !mayManage;
          row.remove.hidden = !mayManage;
        });
        list.hidden = kept.length === 0;
        setText(state, page.stale || (kept.length === 0 ? "No session has a recording. Start one with “Record” in the actions of a session." : ""));
      },
      refresh: () => {
        const { rights } = page;
        page.refresh();
        if (rights.may("read") && rights.may("administer") && !rights.limited) void archive.refresh(); // it is of the whole server
      },
    });
  }

  /** watch plays the recording of a session. */
  watch(session: Session): void {
    if (session.recording !== undefined) this.#page.watch(ofSession(this.#page.api, session, session.recording));
  }

  /** download saves the recording of a session as a file. */
  download(session: Session): void {
    const { recording } = session;
    if (recording !== undefined) void this.#page.attempt(ofSession(this.#page.api, session, recording).save);
  }

  /** start records a session. It asks first if that replaces a recording. */
  start({ id, name, recording }: Session): void {
    const run = async (): Promise<void> => {
      await this.#page.api.request("POST", sessionPath(id, "/recording/start"));
      this.#page.toast(`Recording ${name}`);
      this.#page.refresh();
    };
    if (recording === undefined) {
      void this.#page.attempt(run);
      return;
    }
    openDialog({
      title: `Record ${name} again?`, content: [h("p", {}, `Its present recording (${describe(recording, Date.now())}) is deleted then.`)],
      submit: "Record", danger: true, run,
    });
  }

  stop({ id, name }: Session): void {
    void this.#page.attempt(async () => {
      await this.#page.api.request("POST", sessionPath(id, "/recording/stop"));
      this.#page.toast(`The recording of ${name} has ended`);
      this.#page.refresh();
    });
  }

  /** remove asks whether to delete the recording of a session. */
  remove({ id, name, recording }: Session): void {
    if (recording === undefined) return;
    openDialog({
      title: `Delete the recording of ${name}?`, content: [h("p", {}, `${describe(recording, Date.now())}. The session stays. This cannot be undone.`)],
      submit: "Delete", danger: true,
      run: async () => {
        await this.#page.api.request("DELETE", sessionPath(id, `/recording?${new URLSearchParams({ id: recording.id }).toString()}`));
        this.#page.refresh();
      },
    });
  }
}

/** rowOf returns the row of a session's recording, which is to be filled. */
function rowOf(session: Session, to: Recordings) {
  const { name } = session;
  const about = h("span", { class: "hint" });
  const stop = on(h("button", { type: "button", "aria-label": `Stop the recording of ${name}` }, "Stop"), "click", () => to.stop(row.session));
  const remove = tool("remove", `Delete the recording of ${name}`, () => to.remove(row.session));
  const element = h(
    "li", { "data-recording": name }, h("span", {}, h("b", {}, name), about), stop,
    on(h("button", { type: "button", "aria-label": `Watch the recording of ${name}` }, "Watch"), "click", () => to.watch(row.session)),
    tool("download", `Download the recording of ${name}`, () => to.download(row.session)), remove,
  );
  const row = { element, about, stop, remove, session };
  return row;
}

/** describe describes a recording in one line. */
function describe({ active, bytes: size, since, error }: Recording, now: number): string {
  const started = ago(since, now);
  const when = active ? (started === "now" ? "recording" : `recording for ${started}`) : `started ${started === "now" ? "just now" : `${started} ago`}`;
  return [when, bytes(size), ...(error === undefined ? [] : [error])].join(" · ");
}
