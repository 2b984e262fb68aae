// The actions on one session: their titles, and when they are possible.

import { copyText } from "../terminal/clipboard";
import type { Action } from "./actions";
import { BASE } from "./api";
import type { App } from "./app";
import { openClients } from "./clients";
import { printRoute } from "./data/route";
import type { Session } from "./data/session";
import type { Recordings } from "./recordings";
import type { SessionPane } from "./sessionpane";

const SIGNALS: readonly (readonly [signal: string, what: string])[] = [
  ["INT", "interrupt"], ["TERM", "end"], ["KILL", "end at once"], ["HUP", "hang up"], ["QUIT", "quit"], ["STOP", "pause"], ["CONT", "continue"], ["USR1", "user signal 1"],
];

type Needs = Pick<App, "api" | "attempt" | "forms" | "lead" | "mine" | "open" | "recordings" | "refresh" | "rights" | "sessions" | "share" | "toast">;

/** sessionActions returns the actions on a session. Pane is the session's, if it has one. */
export function sessionActions(session: Session, pane: SessionPane | undefined, selected: boolean, page: Needs): Action[] {
  const { name } = session;
  const { forms } = page;
  const manage = (): boolean => page.rights.may("manage");
  const type = (): boolean => page.rights.may("type") && session.state !== "ended";
  return [
    ...(selected ? [] : [{ title: `Open ${name}`, run: () => page.open(name) }]),
    ...(pane?.actions() ?? []),
    { title: "Rename…", when: manage, run: () => forms.rename(session) },
    { title: "Edit tags…", when: manage, run: () => forms.tag(session) },
    { title: "Who is attached…", note: "see, detach", when: () => session.state !== "ended", run: () => openClients(session, page) },
    ...recordingActions(session, manage, page.recordings),
    { title: session.state === "ended" ? "Remove" : "Kill…", when: manage, run: () => forms.kill(session) },
    { title: "Copy link", run: () => void page.attempt(async () => {
      await copyText(new URL(printRoute(name, name), BASE).href);
      page.toast("Copied the link");
    }) },
    { title: "Links for others…", when: () => page.rights.may("administer"), run: () => page.share(name) },
    ...SIGNALS.map(([signal, what]) => ({ title: `Send ${signal}`, note: what, when: type, run: () => forms.signal(session, signal) })),
  ];
}

function recordingActions(session: Session, manage: () => boolean, recordings: Recordings): Action[] {
  const { recording } = session;
  const [active, kept] = [recording?.active === true, recording !== undefined];
  return [
    { title: "Record", note: "what the program writes", when: () => manage() && !active && session.state !== "ended", run: () => recordings.start(session) },
    { title: "Stop the recording", when: () => manage() && active, run: () => recordings.stop(session) },
    { title: "Watch the recording", when: () => kept, run: () => recordings.watch(session) },
    { title: "Download the recording", when: () => kept, run: () => recordings.download(session) },
    { title: "Delete the recording…", when: () => manage() && kept, run: () => recordings.remove(session) },
  ];
}

/** named returns actions whose notes name a session, for lists that have others, too. */
export function named(actions: readonly Action[], session: string): Action[] {
  return actions.map((action) => ({ ...action, note: action.note === undefined ? session : `${action.note} · ${session}` }));
}
