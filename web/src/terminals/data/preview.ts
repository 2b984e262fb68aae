// The few lines of a screen that the list displays.

/** How many lines a preview has. */
const LINES = 3;

/** preview returns the lines of a screen that say most: the last ones, or of a full screen the first. */
export function preview(lines: readonly string[], fullscreen: boolean): string[] {
  const written = lines.map((line) => line.trimEnd()).filter((line) => line.trim() !== "");
  return fullscreen ? written.slice(0, LINES) : written.slice(-LINES);
}
