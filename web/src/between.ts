// What tabs of a session and the worker between them say to each other.

/** From a tab to the worker. */
export type TabMessage =
  | {
      readonly type: "join";
      /** polite: wait when another tab shows the session. */
      readonly polite: boolean;
      /** A Web Lock that the tab holds as long as it lives; null where there are none. */
      readonly lock: string | null;
    }
  /** The tab goes, or stops showing the session. */
  | { readonly type: "leave" }
  /** Please bring the tab that shows the session forward. */
  | { readonly type: "front" };

/** From the worker to a tab. */
export type WorkerMessage =
  | { readonly type: "show" }
  | { readonly type: "wait" }
  /** To those that wait: so many tabs show the session now. */
  | { readonly type: "showing"; readonly tabs: number }
  /** To the one that shows the session: the person has tried to open it again. */
  | { readonly type: "front" };
