// The messages between the tabs of a session and the worker that they share.

export type TabMessage =
  /** polite: wait if another tab shows the session. The tab holds the Web Lock until it closes; null without Web Locks. */
  | { readonly type: "join"; readonly polite: boolean; readonly lock: string | null }
  /** The tab closes or stops showing the session. */
  | { readonly type: "leave" }
  /** Bring the tab that shows the session to the front. */
  | { readonly type: "front" };

export type WorkerMessage =
  /** The tab shows the session, or waits; tabs is how many show it now. */
  | { readonly type: "joined"; readonly shows: boolean; readonly tabs: number }
  /** For a tab that shows the session: the person tried to open it again. */
  | { readonly type: "front" };
