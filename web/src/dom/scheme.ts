// Shoelace's light and dark themes, which are classes of the document element.

import { make } from "../elements";

const CLASSES = { light: "sl-theme-light", dark: "sl-theme-dark" } as const;

/**
 * followScheme loads both themes, and follows the system's colour scheme. A page that sets one of the
 * two classes itself keeps it. The promise resolves when the present theme applies, or loading it has
 * failed, which is reported.
 */
export async function followScheme(base: string, report: (where: string, error: unknown) => void): Promise<void> {
  const { classList } = document.documentElement;
  const { light, dark } = CLASSES;
  const query = matchMedia("(prefers-color-scheme: dark)");
  const own = classList.contains(light) || classList.contains(dark);
  // The light theme, whose rules always apply, then the dark one, then the page's own.
  const link = (name: keyof typeof CLASSES): Promise<void> => new Promise((loaded) => {
    const href = `${base}/themes/${name}.css`;
    const element = make("link", { id: `ui-shoelace-${name}`, rel: "stylesheet", href });
    element.onload = () => loaded();
    element.onerror = () => {
      report(`theme ${name}`, new Error(`${href} cannot be loaded`));
      loaded();
    };
    document.head.prepend(element);
  });
  const themes = { dark: link("dark"), light: link("light") };
  await ((own ? classList.contains(dark) : query.matches) ? themes.dark : themes.light);
  if (own) return;
  const apply = (): void => {
    classList.toggle(dark, query.matches);
    classList.toggle(light, !query.matches);
  };
  query.addEventListener("change", apply);
  apply();
}
