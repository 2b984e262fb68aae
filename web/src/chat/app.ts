// An app in a view: the client of one session, connected through a channel of the relay.

import { makeApp, makeStore, type Store } from "../api";
import { Client } from "../client";
import type { ComponentLibrary } from "../dom/components";
import { Reports } from "../report";
import type { TransportEvents } from "../transport";

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
  #events!: TransportEvents; // of the client, whose constructor sets it
  #channel: string | undefined; // of the present connection

  constructor(parent: Element, session: string, library: ComponentLibrary, { send, open, skipped }: AppEvents) {
    this.session = session;
    this.#root.setAttribute("ui-app", "");
    parent.append(this.#root);
    const reports = new Reports();
    reports.watch(window, this.#disposed.signal);
    const store: Store = makeStore(() => this.#client);
    this.#client = new Client({
      root: this.#root, session, reports, store, library, skipped,
      connect: (events) => {
        this.#events = events;
        return {
          start: () => {}, // the server attaches the session without being asked
          send: (text) => this.#channel !== undefined && send(this.#channel, text),
          disconnect: () => {
            this.closed(this.#channel, 0);
            open();
          },
        };
      },
      outdated: () => false,
    });
    window.uiErrors = reports.list;
    window.uiApp = makeApp(this.#client, store);
    window.uiStore = store;
    this.#client.start();
  }

  /** attach sets the channel of a new connection. */
  attach(channel: string): void {
    this.#channel = channel;
  }

  received(channel: string, message: unknown): void {
    if (channel === this.#channel && typeof message === "object" && message !== null) this.#events.received(message);
  }

  /** closed is called when a channel has ended, or with undefined the connection to the server. The server opens another when it can. */
  closed(channel: string | undefined, code: number): void {
    if (this.#channel === undefined || (channel !== undefined && channel !== this.#channel)) return;
    this.#channel = undefined;
    this.#events.closed(code);
  }

  dispose(): void {
    this.#client.dispose();
    this.#disposed.abort();
    this.#root.remove();
  }
}
