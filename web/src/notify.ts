// Desktop notifications, where the browser and the person allow them. Some browsers show none from
// a page, so they are never the only call.

/** permission is what the person has said about notifications. */
export function permission(): NotificationPermission {
  return typeof Notification === "undefined" ? "denied" : Notification.permission;
}

/** allowNotifications asks the person, if they have not said it yet, and resolves to whether they allow notifications. */
export async function allowNotifications(): Promise<boolean> {
  return (permission() === "default" ? await Notification.requestPermission() : permission()) === "granted";
}

/** notify shows a notification. A click on it focuses this page: it can focus no other. It returns a function that removes it. */
export function notify(title: string, options: NotificationOptions, clicked?: () => void): () => void {
  if (permission() !== "granted") return () => {};
  try {
    const note = new Notification(title, options);
    note.onclick = () => {
      window.focus();
      clicked?.();
      note.close();
    };
    return () => note.close();
  } catch {
    return () => {}; // notifications need a service worker here
  }
}
