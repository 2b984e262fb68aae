// The settings: how they are stored, applied and changed.

import { FONT_SIZES, readSettings, type Settings } from "./data/settings";
import { check, field, openDialog, problem, select } from "./dialogs";
import { h, on } from "./html";
import { store, stored } from "../storage";
import { allowNotifications } from "../notify";
import { wantsContrast } from "./look";

const KEY = "wsh-settings";

/** Preferences hold the settings of this browser. */
export class Preferences {
  #settings: Settings;
  readonly #changed: (settings: Settings) => void;

  constructor(changed: (settings: Settings) => void) {
    this.#settings = load();
    this.#changed = changed;
    addEventListener("storage", ({ key }) => {
      if (key !== KEY) return;
      this.#settings = load(); // another tab has changed them
      this.#apply();
    });
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) {
      matchMedia(query).addEventListener("change", () => this.#apply());
    }
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** set changes some settings, and stores them. */
  set(change: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...change };
    store("localStorage", KEY, JSON.stringify(this.#settings));
    this.#apply();
  }

  /** apply sets the page's colours. */
  applyTheme(): void {
    const { theme } = this.#settings;
    document.documentElement.dataset["theme"] = theme === "system" && wantsContrast() ? "contrast" : theme;
  }

  #apply(): void {
    this.applyTheme();
    this.#changed(this.#settings);
  }

  /** open shows the dialog. more are other settings, such as those of the token. */
  open(more: readonly HTMLElement[]): void {
    const s = this.#settings;
    const size = h("input", { type: "number", min: FONT_SIZES.least, max: FONT_SIZES.most, value: s.fontSize, inputmode: "numeric" });
    on(size, "input", () => {
      if (size.validity.valid && size.value !== "") this.set({ fontSize: Number(size.value) });
    });
    const error = problem();
    const notify = (label: string, name: "notifyNeeds" | "notifyMessages" | "notifyBells" | "notifyOver"): HTMLElement => {
      const row = check(label, s[name], (checked) => {
        error.say("");
        this.set({ [name]: checked });
        if (checked) {
          void allowNotifications().then((allowed) => {
            if (allowed) return;
            this.set({ [name]: false });
            const box = row.querySelector("input");
            if (box !== null) box.checked = false;
            error.say("The browser does not allow notifications for this page. Its settings can change that.");
          });
        }
      });
      return row;
    };
    openDialog({
      title: "Settings",
      content: [
        field("Colours", select([["system", "Like the system"], ["light", "Light"], ["dark", "Dark"], ["contrast", "High contrast"]], s.theme, (theme) => this.set({ theme: theme as Settings["theme"] }))),
        field("Font size of terminals", size),
        field("When a program rings the bell", select([["visual", "Mark the session"], ["sound", "Mark it and play a chime"], ["none", "Do nothing"]], s.bell, (bell) => this.set({ bell: bell as Settings["bell"] }))),
        h("fieldset", {}, h("legend", {}, "Notify me when I look elsewhere and"), 
          notify("a session asks for input or a secret", "notifyNeeds"), notify("a program has a message for me", "notifyMessages"), notify("a program rings the bell", "notifyBells"),
          notify("a command of 10 seconds or more is done, or a program has failed", "notifyOver"), error.element),
        check("Screen reader mode of terminals", s.screenReader, (screenReader) => this.set({ screenReader })),
        check("Previews in the list", s.previews, (previews) => this.set({ previews })),
        ...more,
      ],
    });
  }
}

function load(): Settings {
  return readSettings(stored("localStorage", KEY) ?? "");
}
