// <meta http-equiv="refresh"> in the HTML of apps, which would replace the page.

/** dropRefreshes removes the <meta> elements that could, or could once one of the bound elements has its values. */
export function dropRefreshes(content: DocumentFragment, bound: readonly (Element | undefined)[] = []): void {
  for (const meta of content.querySelectorAll("meta")) if (meta.httpEquiv !== "" || bound.includes(meta)) meta.remove();
}
