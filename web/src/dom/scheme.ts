// Light and dark for Shoelace: its themes are classes of the document's element.

const LIGHT = "sl-theme-light";
const DARK = "sl-theme-dark";

/**
 * followScheme brings in the theme that fits the system's colours, and changes
 * it with them. A page that names one of the two classes itself keeps it. The
 * promise is kept when the theme applies; a theme that cannot be had is
 * reported.
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

/** stylesheet puts a stylesheet in front of those of the page, so that theirs win; not before the element before. */
function stylesheet(id: string, href: string, before: Element | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.id = id;
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${href} cannot be loaded`));
    // The rules of the light theme are for every page, so those of the dark one come after them.
    if (before === null) document.head.prepend(link);
    else before.after(link);
  });
}
