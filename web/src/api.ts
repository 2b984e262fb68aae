// What scripts of apps can use: window.uiApp, window.uiStore and window.uiErrors.

import type { Value } from "./data/value";
import type { Client, Stats } from "./client";
import type { Fault } from "./report";

/** Store reads and writes the variables behind editable elements, by the element's id. */
export interface Store {
  /** get is what the element holds; undefined when it is not editable, or not there. */
  get(elementId: string): Value | undefined;
  /** update is the same as uiApp.updateValue. */
  update(elementId: string, value?: Value): boolean;
}

/** UIApp is window.uiApp. */
export interface UIApp {
  /** updateValue writes a value, or else what the element holds, to the variable of the element's ui-value. It reports whether it could. */
  updateValue(elementId: string, value?: Value): boolean;
  getStore(): Store;
  /** navigateTo opens another page of ours, or another place in this one; url may be relative. It throws for pages of others. */
  navigateTo(url: string): void;
  /** disconnect closes the connection, which then comes back by itself. */
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

/** makeStore makes the store of a client that may be made later. */
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

/** makeApp makes window.uiApp. */
export function makeApp(client: Client, store: Store): UIApp {
  return {
    updateValue: (elementId, value) => store.update(elementId, value),
    getStore: () => store,
    navigateTo: (url) => {
      const to = new URL(url, location.href);
      if (to.origin !== location.origin) throw new Error(`navigateTo: ${to.origin} is not where this page comes from`);
      location.assign(to);
    },
    disconnect: () => client.disconnect(),
    stats: () => client.stats(),
  };
}
