// What the parts of the page ask of the whole.

import type { Sources } from "../popup/sources";
import type { Api } from "./api";
import type { Source } from "./casts";
import type { Direction, Path } from "./data/layout";
import type { Rights } from "./data/rights";
import type { Sessions } from "./data/sessions";
import type { Settings } from "./data/settings";

/** Page is the whole page. Each part takes as much of it as it needs. */
export interface Page {
  readonly api: Api;
  readonly questions: Sources;
  readonly sessions: Sessions;
  /** rights are what the person may do. */
  readonly rights: Rights;
  readonly settings: Settings;
  /** stale says why the sessions may be others by now; "": they are not. */
  readonly stale: string;

  /** draw displays what has changed, soon. */
  draw(): void;
  /** refresh asks the server for the sessions. */
  refresh(): void;
  /** retry connects now. */
  retry(): void;
  /** toast displays a message for a moment. */
  toast(text: string): void;
  /** attempt carries out a task, and tells the person why it fails. */
  attempt(task: () => Promise<void>): Promise<void>;

  /** palette lists all actions, and menu those on a session. */
  palette(): void;
  menu(session: string): void;
  openSettings(): void;
  /** drawer opens or closes the list where it covers the page. */
  drawer(open: boolean): void;
  /** watch plays a recording. */
  watch(source: Source): void;

  /** create asks for a new session, and make makes one with the person's shell. */
  create(): void;
  make(): void;
  /** kill kills a session's program, or removes it once it has ended. */
  kill(session: string): void;
  /** clients lists who is attached to a session. */
  attached(session: string): void;

  /** open displays a session: in its pane if it has one, else in the place of the selected one. */
  open(session: string): void;
  select(session: string): void;
  /** split asks what to display beside a session. */
  split(session: string | undefined, direction: Direction): void;
  /** resize gives the first part of the split at a path its share, in percent. */
  resize(path: Path, share: number): void;
  closePane(session: string | undefined): void;
  /** leave moves the focus from the terminal to the list. */
  leave(): void;

  /** pictured is called when a terminal displays something, or when it will not soon. */
  pictured(): void;
  /** typed is called when the person has typed into the terminal of a session. */
  typed(session: string): void;
  /** takeCtrl reports whether the key of the page's own row is held down for the next key, and lets it go. */
  takeCtrl(): boolean;
  /** mine is the name of this page's own client in a session. */
  mine(session: string): string | undefined;
  /** lead gives a session the size of its pane here. */
  lead(session: string): void;
}
