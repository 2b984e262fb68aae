// The messages between the tabs of a session and the worker that they share.

/** From a tab to the worker. */
export type TabMessage =
  | {
      readonly type: "join";
      /** polite: wait if another tab already shows the session. */
      readonly polite: boolean;
      /** The name of a Web Lock that the tab holds until it closes; null without Web Locks. */
      readonly lock: string | null;
    }
  /** The tab closes or stops showing the session. */
  | { readonly type: "leave" }
  /** Bring the tab that shows the session to the front. */
  | { readonly type: "front" };

/** From the worker to a tab. */
export type WorkerMessage =
  | { readonly type: "show" }
  | { readonly type: "wait" }
  /** For waiting tabs: how many tabs show the session now. */
  | { readonly type: "showing"; readonly tabs: number }
  /** For the tab that shows the session: the person tried to open the session again. */
  | { readonly type: "front" };
