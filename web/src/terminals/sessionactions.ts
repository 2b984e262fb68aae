// The actions on one session: their titles, and when they are possible.

import { copyText } from "../terminal/clipboard";
import type { Action } from "./actions";
import { BASE } from "./api";
import type { App } from "./app";
import { openClients } from "./clients";
import { printRoute } from "./data/route";
import type { Session } from "./data/session";
import * as forms from "./forms";
import { downloadRecording, removeRecording, startRecording, stopRecording, watchRecording } from "./recordings";
import type { SessionPane } from "./sessionpane";

const SIGNALS: readonly (readonly [signal: string, what: string])[] = [
  ["INT", "interrupt"], ["TERM", "end"], ["KILL", "end at once"], ["HUP", "hang up"], ["QUIT", "quit"], ["STOP", "pause"], ["CONT", "continue"], ["USR1", "user signal 1"],
];

type Needs = Pick<App, "api" | "attempt" | "lead" | "mine" | "open" | "refresh" | "rights" | "sessions" | "share" | "stale" | "toast" | "watch">;

/** sessionActions returns the actions on a session. Pane is the session's, if it has one. */
export function sessionActions(session: Session, pane: SessionPane | undefined, selected: boolean, page: Needs): Action[] {
  const { name } = session;
  const manage = (): boolean => page.rights.may("manage");
  const type = (): boolean => page.rights.may("type") && session.state !== "ended";
  return [
    ...(selected ? [] : [{ title: `Open ${name}`, run: () => page.open(name) }]),
    ...(pane?.actions() ?? []),
    { title: "Rename…", when: manage, run: () => forms.rename(session, page) },
    { title: "Edit tags…", when: manage, run: () => forms.tag(session, page) },
    { title: "Who is attached…", note: "see, detach", when: () => session.state !== "ended", run: () => openClients(session, page) },
    ...recordingActions(session, manage, page),
    { title: session.state === "ended" ? "Remove" : "Kill…", when: manage, run: () => forms.kill(session, page) },
    { title: "Copy link", run: () => void page.attempt(async () => {
      await copyText(new URL(printRoute(name, name), BASE).href);
      page.toast("Copied the link");
    }) },
    { title: "Links for others…", when: () => page.rights.may("administer"), run: () => page.share(name) },
    ...SIGNALS.map(([signal, what]) => ({ title: `Send ${signal}`, note: what, when: type, run: () => forms.signal(session, signal, page) })),
  ];
}

function recordingActions(session: Session, manage: () => boolean, page: Needs): Action[] {
  const { recording } = session;
  const [active, kept] = [recording?.active === true, recording !== undefined];
  return [
    { title: "Record", note: "what the program writes", when: () => manage() && !active && session.state !== "ended", run: () => startRecording(session, page) },
    { title: "Stop the recording", when: () => manage() && active, run: () => stopRecording(session, page) },
    { title: "Watch the recording", when: () => kept, run: () => watchRecording(session, page) },
    { title: "Download the recording", when: () => kept, run: () => downloadRecording(session, page) },
    { title: "Delete the recording…", when: () => manage() && kept, run: () => removeRecording(session, page) },
  ];
}

/** named returns actions whose notes name a session, for lists that have others, too. */
export function named(actions: readonly Action[], session: string): Action[] {
  return actions.map((action) => ({ ...action, note: action.note === undefined ? session : `${action.note} · ${session}` }));
}
