// An app in a view: the client of one session, connected through the relay.

import { makeApp, makeStore, type Store } from "../api";
import { Client } from "../client";
import { ErrorReports } from "../data/errorreports";
import type { ComponentLibrary } from "../dom/components";
import { Reports } from "../report";
import { Link } from "./link";

/** AppEvents connect an app with the rest of the view. */
export interface AppEvents {
  /** send sends a message on a channel. It returns false while there is no connection. */
  send(channel: string, text: string): boolean;
  /** open asks the server to connect the session again. */
  open(): void;
  /** skipped is called when the app has JavaScript, which does not run here. */
  skipped(): void;
}

/** App displays one session. */
export class App {
  readonly session: string;
  readonly #client: Client;
  readonly #root = document.createElement("div");
  readonly #disposed = new AbortController();
  #link!: Link; // the constructor of the client sets it

  constructor(parent: Element, session: string, library: ComponentLibrary, { send, open, skipped }: AppEvents) {
    this.session = session;
    this.#root.setAttribute("ui-app", "");
    parent.append(this.#root);
    const errorReports = new ErrorReports();
    const reports = new Reports((error) => errorReports.report(error));
    reports.watch(window, this.#disposed.signal);
    const store: Store = makeStore(() => this.#client);
    this.#client = new Client({
      root: this.#root, session, reports, errorReports, store, library, skipped,
      connect: (events) => (this.#link = new Link(events, send, open)),
      outdated: () => false,
    });
    window.uiErrors = reports.list;
    window.uiApp = makeApp(this.#client, store);
    window.uiStore = store;
    this.#client.start();
  }

  /** attach sets the channel of a new connection. */
  attach(channel: string): void {
    this.#link.attach(channel);
  }

  received(channel: string, message: unknown): void {
    this.#link.received(channel, message);
  }

  /** closed is called when a channel has ended, or with undefined the connection to the server. */
  closed(channel: string | undefined, code: number): void {
    this.#link.closed(channel, code);
  }

  dispose(): void {
    this.#client.dispose();
    this.#disposed.abort();
    this.#root.remove();
  }
}
