// The recordings that sessions keep: a list to watch, download and delete them.

import { type Api, sessionPath } from "./api";
import { ArchiveList } from "./archive";
import { ofFile, ofSession, type Source } from "./casts";
import { bytes } from "./data/playback";
import { ago, type Recording, type Session } from "./data/session";
import { compare } from "./data/sessions";
import { attempt, openDialog } from "./dialogs";
import { h, keep, on, setText, tool } from "./html";

/** RecordingsEvents are what the recordings need from the page. */
export interface RecordingsEvents {
  watch(source: Source): void;
  /** refresh asks the server for the sessions and their recordings. */
  refresh(): void;
  toast(text: string): void;
  mayManage(): boolean;
  /** mayAdminister says whether the recordings of the whole server may be read. */
  mayAdminister(): boolean;
}

/** Milliseconds between two requests for the size of recordings that are being written. */
const REFRESH = 1000;

/** A Row is a recording in the list. */
type Row = ReturnType<typeof rowOf>;

/** Recordings are the recordings of all sessions. */
export class Recordings {
  readonly #api: Api;
  readonly #events: RecordingsEvents;
  readonly #rows = new Map<string, Row>();
  #list: HTMLUListElement | undefined; // while the dialog is open
  readonly #state = h("p", { class: "hint", role: "status" });
  #redraw: () => void = () => undefined;

  constructor(api: Api, events: RecordingsEvents) {
    this.#api = api;
    this.#events = events;
  }

  /** open lists the recordings. draw keeps the list up to date. */
  open(): void {
    const list = h("ul", { class: "recordings", "aria-label": "Recordings" });
    const file = h("input", { type: "file", accept: ".cast,application/x-asciicast", "aria-label": "Recording", hidden: true });
    on(file, "change", () => {
      const chosen = file.files?.[0];
      if (chosen !== undefined) this.#events.watch(ofFile(chosen));
      file.value = "";
    });
    const choose = on(h("button", { type: "button" }, "Watch a file…"), "click", () => file.click());
    this.#rows.clear();
    this.#list = list;
    this.#redraw(); // so that the first button gets the focus
    const archive = new ArchiveList(this.#api, { watch: (source) => this.#events.watch(source), attempt: (task) => void this.#try(task) });
    const look = (): void => {
      if (this.#events.mayAdminister()) void archive.refresh();
    };
    look();
    const timer = setInterval(() => {
      look();
      if (list.querySelector('[data-active="true"]') !== null) this.#events.refresh();
    }, REFRESH);
    openDialog({
      title: "Recordings", wide: true, closed: () => {
        clearInterval(timer);
        this.#list = undefined;
      },
      content: [list, this.#state, archive.element, h("div", { class: "buttons start" }, choose, file), h("p", { class: "hint" }, "A recording has what the program wrote. One that a session keeps goes with its session, so download what you want to keep.")],
    });
    this.#events.refresh(); // so that the list is the newest
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
    row.stop.hidden = !recording.active || !this.#events.mayManage();
    row.remove.hidden = !this.#events.mayManage();
  }

  /** watch plays the recording of a session. */
  watch(session: Session): void {
    if (session.recording !== undefined) this.#events.watch(ofSession(this.#api, session, session.recording));
  }

  /** download saves the recording of a session as a file. */
  download(session: Session): void {
    const { recording } = session;
    if (recording !== undefined) void this.#try(ofSession(this.#api, session, recording).save);
  }

  /** start records a session. It asks first if that replaces a recording. */
  start({ id, name, recording }: Session): void {
    const run = async (): Promise<void> => {
      await this.#api.request("POST", sessionPath(id, "/recording/start"));
      this.#events.toast(`Recording ${name}`);
      this.#events.refresh();
    };
    if (recording === undefined) {
      void this.#try(run);
      return;
    }
    openDialog({
      title: `Record ${name} again?`, content: [h("p", {}, `Its present recording (${describe(recording, Date.now())}) is deleted then.`)],
      submit: "Record", danger: true, run,
    });
  }

  stop({ id, name }: Session): void {
    void this.#try(async () => {
      await this.#api.request("POST", sessionPath(id, "/recording/stop"));
      this.#events.toast(`The recording of ${name} has ended`);
      this.#events.refresh();
    });
  }

  /** remove asks whether to delete the recording of a session. */
  remove({ id, name, recording }: Session): void {
    if (recording === undefined) return;
    openDialog({
      title: `Delete the recording of ${name}?`, content: [h("p", {}, `${describe(recording, Date.now())}. The session stays. This cannot be undone.`)],
      submit: "Delete", danger: true,
      run: async () => {
        await this.#api.request("DELETE", sessionPath(id, `/recording?${new URLSearchParams({ id: recording.id }).toString()}`));
        this.#events.refresh();
      },
    });
  }

  #try(task: () => Promise<void>): Promise<void> {
    return attempt(task, (why) => why && this.#events.toast(why));
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
