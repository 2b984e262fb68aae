// Waiting until a page looks as it will.

const QUIET = 80; // milliseconds without a change of the document
const STEP = 15; // milliseconds between two looks at it
const LOOKS = 100; // before it is given up in time; a busy machine gets twice the time for them

/** reasons says what is still missing, given the number of the batch that the page must have. */
function reasons(seq: number): string[] {
  // A document begins without its root, and scripts can take it away.
  const html = document.documentElement as HTMLElement | null;
  if (html === null) return ["the page is empty"];
  const list: string[] = [];
  if (html.dataset["uiState"] !== "live" || Number(html.dataset["uiSeq"] ?? -1) < seq) list.push("the app is not displayed yet");
  if (document.fonts.status !== "loaded") list.push("fonts are loading");
  const images = [...document.images].filter((i) => !i.complete && (i.loading !== "lazy" || near(i)));
  if (images.length > 0) list.push(`${images.length} of the pictures are loading`);
  const frames = [...document.querySelectorAll("ui-terminal")].some((t) => t.shadowRoot?.querySelector("iframe:not([data-loaded])") != null);
  if (frames) list.push("a terminal is loading");
  if (document.querySelector("[ui-app] :not(:defined)") !== null) list.push("components are loading");
  return list;
}

function near(image: Element): boolean {
  const { top, bottom } = image.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}

/** freeze ends animations that have an end, and stops the others. */
function freeze(): void {
  for (const animation of document.getAnimations()) {
    try {
      animation.finish();
    } catch {
      animation.pause(); // it has no end
    }
  }
}

/** settle resolves when nothing changes any more, or after a time, to what was still going on. */
export async function settle(seq: number, within: number): Promise<string[]> {
  const end = performance.now() + within;
  let changed = performance.now();
  let looks = 0; // since then: on a busy machine, time alone passes without the page having had a turn
  let all = 0;
  const observer = new MutationObserver(() => {
    changed = performance.now();
    looks = 0;
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  try {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, STEP));
      const list = reasons(seq);
      freeze();
      looks++;
      all++;
      if (list.length === 0 && (performance.now() - changed < QUIET || looks < Math.floor(QUIET / STEP))) list.push("scripts keep changing the page");
      const late = performance.now() - end;
      if (list.length === 0 || (late > 0 && (all >= LOOKS || late > within))) {
        await frame();
        return list;
      }
    }
  } finally {
    observer.disconnect();
  }
}

/** frame resolves when the page has been drawn, or after a moment where it is not. */
function frame(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 250);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
