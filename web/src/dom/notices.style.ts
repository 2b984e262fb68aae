// The style that notices of the page share. It is for shadow trees, which styles of the app do not
// reach; colours come from the page's --ui-* variables if it sets them.

export const NOTICES = `
:host {
  --surface: var(--ui-surface, light-dark(#ffffff, #1d1f28));
  --sunken: var(--ui-sunken, light-dark(#eceef4, #262935));
  --text: var(--ui-text, light-dark(#1b1d28, #eceef6));
  --muted: var(--ui-muted, light-dark(#5d6273, #a0a6ba));
  --line: var(--ui-line, light-dark(#dcdfe9, #333747));
  --accent: var(--ui-accent, light-dark(#4650c9, #8f99ff));
  all: initial;
  position: fixed;
  font: 0.875rem/1.45 var(--ui-font, system-ui, sans-serif);
  color: var(--text); color-scheme: light dark;
}
* { box-sizing: border-box; }
:host([hidden]), [hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media print { :host { display: none !important; } }`;
