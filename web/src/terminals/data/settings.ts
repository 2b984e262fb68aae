// The settings, as the browser stores them.

export type Settings = Readonly<typeof DEFAULTS>;

export const DEFAULTS = {
  theme: "system" as "system" | "light" | "dark" | "contrast",
  fontSize: 14,
  bell: "visual" as "visual" | "sound" | "none",
  // Desktop notifications: when a session asks for something, when a program sends a message, when
  // it rings, and when a long command or a program is over.
  notifyNeeds: false,
  notifyMessages: false,
  notifyBells: false,
  notifyOver: false,
  screenReader: false, // terminals describe what they display to screen readers, which takes time
  previews: true,
};

export const FONT_SIZES = { least: 8, most: 32 } as const;

const CHOICES: Readonly<Record<string, readonly string[]>> = { theme: ["system", "light", "dark", "contrast"], bell: ["visual", "sound", "none"] };
const LIMITS: Readonly<Record<string, { readonly least: number; readonly most: number }>> = { fontSize: FONT_SIZES };

/** readSettings reads stored settings. Anything that is missing or invalid has its default. */
export function readSettings(text: string | null): Settings {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "{}");
  } catch {
    return DEFAULTS;
  }
  const valid = (name: string, value: unknown): boolean => {
    const { least, most } = LIMITS[name] ?? { least: 0, most: 0 };
    return typeof value === "number" ? value >= least && value <= most : typeof value === "boolean" || CHOICES[name]?.includes(value as string) === true;
  };
  const read = Object.entries(DEFAULTS).map(([name, fallback]): [string, unknown] => {
    const value: unknown = Object(stored)[name];
    return [name, typeof value !== typeof fallback || !valid(name, value) ? fallback : typeof value === "number" ? Math.round(value) : value];
  });
  return Object.fromEntries(read) as unknown as Settings;
}
