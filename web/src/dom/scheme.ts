// Shoelace's light and dark themes, which are classes of the document element.

const LIGHT = "sl-theme-light";
const DARK = "sl-theme-dark";

/**
 * followScheme loads the theme for the system's colour scheme and follows its changes. A page that
 * sets one of the two classes itself keeps it. The promise resolves when the theme applies or
 * loading it has failed, which is reported.
 */
export async function followScheme(base: string, report: (where: string, error: unknown) => void): Promise<void> {
  const { classList } = document.documentElement;
  const link = async (name: "light" | "dark"): Promise<void> => {
    const id = `ui-shoelace-${name}`;
    if (document.getElementById(id) !== null) return;
    try {
      const before = name === "dark" ? document.getElementById("ui-shoelace-light") : null;
      await stylesheet(id, `${base}/themes/${name}.css`, before);
    } catch (error) {
      report(`theme ${name}`, error);
    }
  };
  if (classList.contains(LIGHT)) return link("light");
  if (classList.contains(DARK)) return link("dark");

  const query = matchMedia("(prefers-color-scheme: dark)");
  const apply = async (): Promise<void> => {
    await link(query.matches ? "dark" : "light");
    classList.toggle(DARK, query.matches);
    classList.toggle(LIGHT, !query.matches);
  };
  query.addEventListener("change", () => void apply());
  await apply();
}

/** stylesheet inserts a stylesheet after the element before, or else ahead of the page's own, which win. */
function stylesheet(id: string, href: string, before: Element | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.id = id;
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${href} cannot be loaded`));
    // The light theme's rules always apply, so the dark theme's come after them.
    if (before === null) document.head.prepend(link);
    else before.after(link);
  });
}
