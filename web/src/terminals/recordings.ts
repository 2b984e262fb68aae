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

/** openRecordings lists the recordings. */
export function openRecordings(page: Needs): void {
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
      keep(list, rows, kept, ({ session }) => session.name, ({ session }) => rowOf(session, page), (row, { session, recording }) => {
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

/** watchRecording plays the recording of a session. */
export function watchRecording(session: Session, page: Needs): void {
  if (session.recording !== undefined) page.watch(ofSession(page.api, session, session.recording));
}

/** downloadRecording saves the recording of a session as a file. */
export function downloadRecording(session: Session, page: Needs): void {
  const { recording } = session;
  if (recording !== undefined) void page.attempt(ofSession(page.api, session, recording).save);
}

/** startRecording records a session. It asks first if that replaces a recording. */
export function startRecording({ id, name, recording }: Session, page: Needs): void {
  const run = async (): Promise<void> => {
    await page.api.request("POST", sessionPath(id, "/recording/start"));
    page.toast(`Recording ${name}`);
    page.refresh();
  };
  if (recording === undefined) {
    void page.attempt(run);
    return;
  }
  openDialog({
    title: `Record ${name} again?`, content: [h("p", {}, `Its present recording (${describe(recording, Date.now())}) is deleted then.`)],
    submit: "Record", danger: true, run,
  });
}

export function stopRecording({ id, name }: Session, page: Needs): void {
  void page.attempt(async () => {
    await page.api.request("POST", sessionPath(id, "/recording/stop"));
    page.toast(`The recording of ${name} has ended`);
    page.refresh();
  });
}

/** removeRecording asks whether to delete the recording of a session. */
export function removeRecording({ id, name, recording }: Session, page: Needs): void {
  if (recording === undefined) return;
  openDialog({
    title: `Delete the recording of ${name}?`, content: [h("p", {}, `${describe(recording, Date.now())}. The session stays. This cannot be undone.`)],
    submit: "Delete", danger: true,
    run: async () => {
      await page.api.request("DELETE", sessionPath(id, `/recording?${new URLSearchParams({ id: recording.id }).toString()}`));
      page.refresh();
    },
  });
}

/** rowOf returns the row of a session's recording, which is to be filled. */
function rowOf(session: Session, page: Needs) {
  const { name } = session;
  const about = h("span", { class: "hint" });
  const stop = on(h("button", { type: "button", "aria-label": `Stop the recording of ${name}` }, "Stop"), "click", () => stopRecording(row.session, page));
  const remove = tool("remove", `Delete the recording of ${name}`, () => removeRecording(row.session, page));
  const element = h(
    "li", { "data-recording": name }, h("span", {}, h("b", {}, name), about), stop,
    on(h("button", { type: "button", "aria-label": `Watch the recording of ${name}` }, "Watch"), "click", () => watchRecording(row.session, page)),
    tool("download", `Download the recording of ${name}`, () => downloadRecording(row.session, page)), remove,
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
