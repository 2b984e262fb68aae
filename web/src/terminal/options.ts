// What a page decides about a terminal that it displays, and what it learns from it.

import type { Sources } from "../popup/sources";
import type { State } from "./data/client";
import type { Size } from "./data/frames";
import type { HistorySource } from "./data/lines";
import type { Dial } from "./data/link";
import type { PaletteName } from "./palettes";
import type { Xterm } from "./xterm";

/** TerminalOptions say what to display, and how. */
export interface TerminalOptions {
  /** label names the terminal for screen readers. */
  readonly label: string;
  readonly dial: Dial;
  readonly xterm: Xterm;
  /** history reads the history of the session with that ID. */
  readonly history?: (id: string) => HistorySource;
  /** readOnly drops what is typed. */
  readonly readOnly?: boolean;
  /**
   * size says when the session gets the size of this view: when the person types or asks with lead
   * ("typing", the default), only when the person asks ("ask"), or never.
   */
  readonly size?: "typing" | "ask" | "never";
  /** questions displays the session's questions: they are not in the pictures then. */
  readonly questions?: Sources;
  /** open opens an address that the person has chosen; by default in a new tab. */
  readonly open?: (address: string) => void;
  /** webgl, the default, draws with WebGL where that works. Browsers allow some 16 such terminals. */
  readonly webgl?: boolean;
  /** pace is the least time between two pictures, in milliseconds: the server sends one when the last is on the screen. */
  readonly pace?: number;
  /** client is the name by which others know this terminal. */
  readonly client?: string;
  readonly look?: Partial<Look>;
}

/** Look is what a person may choose. */
export interface Look {
  readonly palette: PaletteName;
  readonly fontFamily: string;
  readonly fontSize: number; // in CSS pixels, of a session that fits
  readonly screenReader: boolean;
}

/** DEFAULT_LOOK is the look of a terminal for which nobody has chosen another. */
export const DEFAULT_LOOK: Look = {
  palette: "dark",
  fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace',
  fontSize: 14,
  screenReader: false,
};

/** TerminalEvents are the callbacks of a terminal. */
export interface TerminalEvents {
  state(state: State): void;
  /** size is called when the session has another size, or fits another one of the view. */
  size(session: Size, fits: Size | undefined): void;
  /** fitted is called when the session fits at another font size. scaled: that is less than the chosen one. */
  fitted(fontSize: number, scaled: boolean): void;
  title(title: string): void;
  /** pictured is called when the terminal displays its first picture. */
  pictured(): void;
  /** message is called with a sentence for the person. Without it, the terminal displays that itself. */
  message(text: string): void;
  /** typed is called when the person has typed something. */
  typed(): void;
  /** leave is called when the person leaves the terminal by its key, after the focus has left. */
  leave(): void;
}
