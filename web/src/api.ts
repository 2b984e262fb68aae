// The JavaScript API for scripts of apps: window.uiApp, window.uiStore and window.uiErrors.

import type { Value } from "./data/value";
import type { Client, Stats } from "./client";
import type { Fault } from "./report";

/** Store reads and writes the variables behind editable elements, by the element's id. */
export interface Store {
  /** get returns what the element holds; undefined when it is not editable or does not exist. */
  get(elementId: string): Value | undefined;
  /** update is the same as uiApp.updateValue. */
  update(elementId: string, value?: Value): boolean;
}

export interface UIApp {
  /**
   * updateValue writes value, or what the element holds when value is omitted, to the variable of
   * the element's ui-value. It reports whether the value was sent.
   */
  updateValue(elementId: string, value?: Value): boolean;
  getStore(): Store;
  /** navigateTo opens a page of this server; url may be relative. It throws for other origins. */
  navigateTo(url: string): void;
  /** disconnect closes the connection; the page then reconnects by itself. */
  disconnect(): void;
  stats(): Stats;
}

declare global {
  interface Window {
    uiApp: UIApp;
    uiStore: Store;
    uiErrors: readonly Fault[];
  }
}

/** makeStore returns the store for a client that may not exist yet. */
export function makeStore(client: () => Client): Store {
  const get = (elementId: string): Value | undefined => {
    const element = document.getElementById(elementId);
    return element === null ? undefined : client().value(element);
  };
  return {
    get,
    update(elementId, value = get(elementId)) {
      const element = document.getElementById(elementId);
      return element !== null && value !== undefined && client().update(element, value);
    },
  };
}

/** makeApp returns the object for window.uiApp. */
export function makeApp(client: Client, store: Store): UIApp {
  return {
    updateValue: (elementId, value) => store.update(elementId, value),
    getStore: () => store,
    navigateTo: (url) => {
      const to = new URL(url, location.href);
      if (to.origin !== location.origin) throw new Error(`navigateTo: ${to.origin} is another origin`);
      location.assign(to);
    },
    disconnect: () => client.disconnect(),
    stats: () => client.stats(),
  };
}
