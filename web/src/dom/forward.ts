// Making the person look at this tab, as far as a browser allows that.

const BLINK = 1000; // milliseconds

/** The notification that a session is open here, for those who allow such things. */
function notify(session: string): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    // From this tab and not from the new one, since a click may bring forward only the page that made it.
    const notification = new Notification(`Session ${session} is already active in another tab.`, {
      tag: `ui session ${session}`,
      body: "Click here to go to that tab.",
    });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Some browsers want a service worker for this. The title blinks all the same.
  }
}

/** Forward brings a tab forward: it asks for the focus, notifies, and lets the title blink until the person is here. */
export class Forward {
  readonly #session: string;
  #end: (() => void) | undefined;

  constructor(session: string) {
    this.#session = session;
  }

  call(): void {
    notify(this.#session);
    window.focus();
    this.#end?.();
    if (this.#here()) return;
    const title = document.title;
    const marked = `● ${title}`;
    const timer = setInterval(() => {
      document.title = document.title === title ? marked : title;
    }, BLINK);
    document.title = marked;
    const look = (): void => {
      if (this.#here()) this.#end?.();
    };
    this.#end = () => {
      this.#end = undefined;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", look);
      if (document.title === marked) document.title = title; // unless the app has given it another
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
  }

  #here(): boolean {
    return document.visibilityState === "visible" && document.hasFocus();
  }
}
