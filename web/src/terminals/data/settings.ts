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

/** readSettings reads stored settings. What is missing has its default. */
export function readSettings(text: string): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(text) as Partial<Settings>) };
  } catch {
    return DEFAULTS;
  }
}
