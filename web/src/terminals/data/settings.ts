// The settings, as the browser stores them.

export interface Settings {
  readonly theme: "system" | "light" | "dark" | "contrast";
  readonly fontSize: number;
  readonly bell: "visual" | "sound" | "none";
  /**
   * Desktop notifications: when a session asks for something, when a program sends a message, when
   * it rings, and when a long command or a program is over.
   */
  readonly notifyNeeds: boolean;
  readonly notifyMessages: boolean;
  readonly notifyBells: boolean;
  readonly notifyOver: boolean;
  /** Terminals describe what they display to screen readers, which takes time. */
  readonly screenReader: boolean;
  readonly previews: boolean;
  readonly sidebar: number;
}

export const DEFAULTS: Settings = {
  theme: "system", fontSize: 14, bell: "visual", notifyNeeds: false, notifyMessages: false, notifyBells: false, notifyOver: false, screenReader: false, previews: true, sidebar: 300,
};

export const FONT_SIZES = { least: 8, most: 32 } as const;
export const SIDEBAR = { least: 200, most: 560 } as const;

/** readSettings reads stored settings. Anything that is missing or invalid has its default. */
export function readSettings(text: string | null): Settings {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "{}");
  } catch {
    return DEFAULTS;
  }
  if (typeof stored !== "object" || stored === null) return DEFAULTS;
  const of = stored as Readonly<Record<string, unknown>>;
  const choice = <T extends string>(name: string, choices: readonly T[], fallback: T): T => choices.find((c) => c === of[name]) ?? fallback;
  const flag = (name: string, fallback: boolean): boolean => (typeof of[name] === "boolean" ? of[name] : fallback);
  const number = (name: string, least: number, most: number, fallback: number): number =>
    typeof of[name] === "number" && of[name] >= least && of[name] <= most ? Math.round(of[name]) : fallback;
  return {
    theme: choice("theme", ["system", "light", "dark", "contrast"], DEFAULTS.theme),
    fontSize: number("fontSize", FONT_SIZES.least, FONT_SIZES.most, DEFAULTS.fontSize),
    bell: choice("bell", ["visual", "sound", "none"], DEFAULTS.bell),
    notifyNeeds: flag("notifyNeeds", DEFAULTS.notifyNeeds),
    notifyMessages: flag("notifyMessages", DEFAULTS.notifyMessages),
    notifyBells: flag("notifyBells", DEFAULTS.notifyBells),
    notifyOver: flag("notifyOver", DEFAULTS.notifyOver),
    screenReader: flag("screenReader", DEFAULTS.screenReader),
    previews: flag("previews", DEFAULTS.previews),
    sidebar: number("sidebar", SIDEBAR.least, SIDEBAR.most, DEFAULTS.sidebar),
  };
}
