// The recordings that sessions keep: a list to watch, download and delete them.

import { sessionPath } from "./api";
import { archiveList } from "./archive";
import { ofFile, ofSession } from "./casts";
import { bytes } from "./data/playback";
import { ago, type Recording, type Session } from "./data/session";
import { compare } from "./data/sessions";
import { openDialog } from "./dialogs";
import { h, keep, on, setText, tool } from "./html";
import type { Page } from "./page";

type Needs = Pick<Page, "api" | "attempt" | "refresh" | "rights" | "toast" | "watch">;

/** Milliseconds between two requests for the size of recordings that are being written. */
const REFRESH = 1000;

/** A Row is a recording in the list. */
type Row = ReturnType<typeof rowOf>;

/** Recordings are the recordings of all sessions. */
export class Recordings {
  readonly #page: Needs;
  readonly #rows = new Map<string, Row>();
  #list: HTMLUListElement | undefined; // while the dialog is open
  readonly #state = h("p", { class: "hint", role: "status" });
  #redraw: () => void = () => undefined;

  constructor(page: Needs) {
    this.#page = page;
  }

  /** open lists the recordings. draw keeps the list up to date. */
  open(): void {
    const list = h("ul", { class: "recordings", "aria-label": "Recordings" });
    const file = h("input", { type: "file", accept: ".cast,application/x-asciicast", "aria-label": "Recording", hidden: true });
    on(file, "change", () => {
      const chosen = file.files?.[0];
      if (chosen !== undefined) this.#page.watch(ofFile(chosen));
      file.value = "";
    });
    const choose = on(h("button", { type: "button" }, "Watch a file…"), "click", () => file.click());
    this.#rows.clear();
    this.#list = list;
    this.#redraw(); // so that the first button gets the focus
    const archive = archiveList(this.#page);
    const look = (): void => {
      const { rights } = this.#page;
      if (rights.may("read") && rights.may("administer") && !rights.limited) void archive.refresh(); // it is of the whole server
    };
    look();
    const timer = setInterval(() => {
      look();
      if (list.querySelector('[data-active="true"]') !== null) this.#page.refresh();
    }, REFRESH);
    openDialog({
      title: "Recordings", wide: true, closed: () => {
        clearInterval(timer);
        this.#list = undefined;
      },
      content: [list, this.#state, archive.element, h("div", { class: "buttons start" }, choose, file), h("p", { class: "hint" }, "A recording has what the program wrote. One that a session keeps goes with its session, so download what you want to keep.")],
    });
    this.#page.refresh(); // so that the list is the newest
  }

  /** draw displays the recordings of sessions. listed and up say whether the list is complete and current. */
  draw(sessions: readonly Session[], listed: boolean, up: boolean, now: number): void {
    this.#redraw = () => this.draw(sessions, listed, up, now);
    const list = this.#list;
    if (list === undefined) return;
    const kept = sessions.filter(({ recording }) => recording !== undefined).sort((a, b) => Number(b.recording?.active) - Number(a.recording?.active) || compare(a.name, b.name));
    keep(list, this.#rows, kept, ({ name }) => name, (session) => rowOf(session, this), (row, session) => this.#fill(row, session, now));
    list.hidden = kept.length === 0;
    const why = !up ? "The server does not answer, so this list may be old." : !listed ? "Loading…" : kept.length === 0 ? "No session has a recording. Start one with “Record” in the actions of a session." : "";
    setText(this.#state, why);
  }

  #fill(row: Row, session: Session, now: number): void {
    row.session = session;
    const { recording } = session;
    if (recording === undefined) return;
    row.element.dataset["active"] = String(recording.active);
    setText(row.about, describe(recording, now));
    row.stop.hidden = !recording.active || !this.#page.rights.may("manage");
    row.remove.hidden = !this.#page.rights.may("manage");
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
