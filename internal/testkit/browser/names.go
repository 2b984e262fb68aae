package browser

// Misnamed returns the controls of a page that assistive technology cannot offer as the page shows
// them, each with what is wrong: those whose names lack words that they display, so that a person
// cannot speak them (WCAG 2.5.3), and if the page has landmarks, those outside of all landmarks and
// dialogs. Hidden controls count, and so do those in shadow trees, but not in frames.
func (tab *Tab) Misnamed() []string {
	return Eval[[]string](tab, `(() => {
		const landmarks = "main, aside, nav, header, footer, dialog, [role=dialog], [role=search], [role=region], section[aria-label], section[aria-labelledby]";
		const pressed = "button, a[href], summary, [role=button], [role=link], [role=option], [role=tab]";
		const controls = pressed + ", input, select, textarea, [tabindex='0']";
		const words = (text) => " " + (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ") + " ";
		const shown = (node) => node.nodeType === Node.TEXT_NODE ? node.data : node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true" || node.matches("select, textarea, style, script") ? "" : [...node.childNodes].map(shown).join(" ");
		const found = [];
		let checked = 0;
		const walk = (root, within) => {
			for (const element of root.querySelectorAll("*")) {
				const inside = within || element.closest(landmarks) !== null;
				if (element.shadowRoot) walk(element.shadowRoot, inside);
				if (!element.matches(controls) || element.matches("input[type=hidden]") || element.closest(".xterm")) continue;
				checked++;
				const by = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => root.getElementById(id)?.textContent ?? "").join(" ").trim();
				const name = by || element.getAttribute("aria-label") || "";
				const label = element.matches(pressed) ? shown(element) : [...element.labels ?? []].map(shown).join(" ");
				if (name !== "" && words(label).trim() !== "" && !words(name).includes(words(label))) found.push("the name \"" + name + "\" lacks \"" + label.trim() + "\"");
				if (!inside && document.querySelector("main") && element.tabIndex >= 0) found.push("outside of landmarks: " + element.outerHTML.slice(0, 200));
			}
		};
		walk(document, false);
		return checked === 0 ? ["there is no control"] : found;
	})()`)
}
