//go:build linux || darwin

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

const claimsLua = `
Claim = session:prototype("Claim", {
    what = "", amount = 0, day = "", kind = "travel", billable = false, paid = "card", note = "", share = 100, receipt = EMPTY,
})
function Claim:receiptName() return self.receipt and self.receipt.name or "" end
function Claim:line() return self.day .. ", " .. self.kind .. ", " .. self.paid .. (self.billable and ", billable" or "") end
function Claim:sum() return string.format("%.2f", self.amount * self.share / 100) end
function Claim:isPlain() return self.note == "" and not self.receipt end
function Claim:remove() claims:remove(self) end

Claims = session:prototype("Claims", {
    what = "", amount = "", day = "", kind = "travel", billable = false, paid = "card", note = "", share = 100, receipt = EMPTY,
    whatProblem = "", amountProblem = "",
})
function Claims:new() return session:create(Claims, { items = {} }) end
function Claims:add()
    self.whatProblem = self.what:find("%S") and "" or "What was it for?"
    self.amountProblem = tonumber(self.amount) and "" or "The amount must be a number."
    if self.whatProblem .. self.amountProblem ~= "" then return end
    table.insert(self.items, 1, Claim:new({
        what = self.what, amount = tonumber(self.amount), day = self.day, kind = self.kind, billable = self.billable,
        paid = self.paid, note = self.note, share = self.share, receipt = self.receipt,
    }))
    self.what, self.amount, self.note, self.share, self.receipt, self.billable = "", "", "", 100, nil, false
end
function Claims:remove(claim)
    for i, other in ipairs(self.items) do
        if other == claim then return table.remove(self.items, i) end
    end
end
function Claims:whatIsWrong() return self.whatProblem ~= "" end
function Claims:amountIsWrong() return self.amountProblem ~= "" end
function Claims:isFilled() return #self.items > 0 end
function Claims:total()
    local sum = 0
    for _, claim in ipairs(self.items) do sum = sum + claim.amount * claim.share / 100 end
    return string.format("%.2f", sum)
end
if not session.reloading then claims = Claims:new() end
mcp:keep("claims", claims)
`

const claimsHTML = `<template>
  <section class="card stack">
    <div class="spread"><h1>Expenses</h1><span class="badge">Total <b ui-value="total()"></b></span></div>
    <form class="stack">
      <label>What for <input ui-value="what" aria-describedby="claims-what" ui-attr-aria-invalid="whatIsWrong()"></label>
      <p class="error" id="claims-what" ui-value="whatProblem"></p>
      <label>Amount <input type="number" step="0.01" min="0" ui-value="amount" aria-describedby="claims-amount" ui-attr-aria-invalid="amountIsWrong()"></label>
      <p class="error" id="claims-amount" ui-value="amountProblem"></p>
      <label>Day <input type="date" ui-value="day"></label>
      <label>Kind <select ui-value="kind"><option value="travel">Travel</option><option value="food">Food</option><option value="other">Other</option></select></label>
      <fieldset class="row">
        <legend>Paid by</legend>
        <label><input type="radio" name="paid" value="card" ui-value="paid"> Card</label>
        <label><input type="radio" name="paid" value="cash" ui-value="paid"> Cash</label>
      </fieldset>
      <label><input type="checkbox" ui-value="billable"> Billable</label>
      <label>Share: <span ui-value="share"></span> % <input type="range" min="0" max="100" step="10" ui-value="share?keypress"></label>
      <label>Note <textarea ui-value="note"></textarea></label>
      <label>Receipt <input type="file" ui-value="receipt?content"></label>
      <button type="submit" variant="primary" ui-action="add()">Add</button>
    </form>
    <ul class="list" ui-viewlist="items"><li></li></ul>
    <p class="ui-empty" ui-attr-hidden="isFilled()">No expenses yet.</p>
  </section>
</template>
`

const claimHTML = `<template>
  <li class="row">
    <div class="grow">
      <b ui-value="what"></b> <span class="muted" ui-value="line()"></span>
      <div ui-attr-hidden="isPlain()"><span ui-value="note"></span> <span class="muted" ui-value="receiptName()"></span></div>
    </div>
    <span ui-value="sum()"></span>
    <button variant="quiet" ui-action="remove()" aria-label="Delete">✕</button>
  </li>
</template>
`

// An agent builds a form with each kind of control by what the tools and the cheatsheet say, and
// fills it in to see that it works. The person does the same in the page, and a restart of the
// server loses none of it.
func TestTrialExpenses(t *testing.T) {
	load.Long(t, "TestBindings has the controls, and TestStory an agent and a person")
	t.Parallel()
	home := shortDir(t)
	a := startTrial(t, home, "--own") // see restart
	url := a.begin()
	a.write("claims", map[string]string{
		"app.lua": claimsLua, "viewdefs/Claims.DEFAULT.html": claimsHTML, "viewdefs/Claim.list-item.html": claimHTML,
	})
	a.display("claims")
	a.look()

	// The agent tries it before the person is there: the mistake first, then each control.
	page := a.do("ui_inspect", nil)
	if got := a.act(page, "button Add", "click", true); !strings.Contains(got, "What was it for?") || !strings.Contains(got, "must be a number") {
		t.Errorf("an empty form: %s", got)
	}
	for _, step := range []struct {
		control, input string
		value          any
	}{
		{"input {what:", "fill", "Train"},
		{"input number", "fill", "12.50"},
		{"input date", "fill", "2026-11-24"},
		{"select {kind:", "select", "Food"},
		{"} value=\"cash\"", "check", true},
		{"input checkbox", "check", true},
		{"input range", "fill", "50"},
		{"textarea", "fill", "Back and forth"},
	} {
		if got := a.act(page, step.control, step.input, step.value); !strings.Contains(got, "Changed:") {
			t.Errorf("%s: %s", step.control, got)
		}
	}
	if text, failed := a.try("ui_act", map[string]any{"ref": a.ref(page, "input file"), "fill": "receipt.pdf"}); !failed {
		t.Errorf("a file of the person: %s", text)
	}
	added := a.act(page, "button Add", "click", true)
	for _, want := range []string{"Train", "2026-11-24, food, cash, billable", "Back and forth", "{sum(): 6.25}", "{total(): 6.25}"} {
		if !strings.Contains(added, want) {
			t.Errorf("the new row lacks %q: %s", want, added)
		}
	}
	a.act(added, "aria-label=\"Delete\"", "click", true)
	a.do("ui_open_browser", nil)

	// The person fills it in.
	receipt := filepath.Join(home, "taxi receipt.pdf")
	if err := os.WriteFile(receipt, []byte("%PDF-1.7"), 0o600); err != nil {
		t.Fatal(err)
	}
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.Type(`input[aria-describedby="claims-what"]`, "Taxi")
	tab.Press(browser.Tabulator + "30.5" + browser.Tabulator + "11232026")
	tab.Type("select", "o")
	tab.Click(`input[value="card"]`)
	tab.Click(`input[type="checkbox"]`)
	tab.Type(`input[type="range"]`, browser.Home+browser.ArrowRight+browser.ArrowRight)
	tab.Type("textarea", "In the rain")
	tab.Choose(`input[type="file"]`, receipt)
	tab.Click(`button[type="submit"]`)
	const rows = `[...document.querySelectorAll("section .list li")].map((li) => li.innerText.replace(/\s+/g, " ").trim()).join("|")`
	const taxi = "Taxi 2026-11-23, other, card, billable In the rain taxi receipt.pdf 6.10 ✕"
	tab.Wait(rows + ` === ` + quote(taxi))
	tab.Wait(`document.querySelector("input[type=file]").value === ""`)
	tab.Type(`input[aria-describedby="claims-what"]`, "Half a ") // and not sent
	if got := a.do("ui_inspect", map[string]any{"path": "value.items.0"}); !strings.Contains(got, "taxi receipt.pdf") {
		t.Errorf("the agent sees %s", got)
	}

	// After a restart, the open page has everything again, and so has the agent. What was typed but
	// not sent is kept by the page.
	b := a.restart(t, tab)
	tab.Wait(`document.querySelector(".ui-unsaved").shadowRoot.textContent.includes("Half a ")`)
	tab.Wait(rows + ` === ` + quote(taxi) + ` && document.querySelector("input[type=date]").value === "2026-11-23" && document.querySelector("select").value === "other"`)
	got := b.do("ui_inspect", nil)
	for _, want := range []string{"{what: Taxi}", "{receiptName(): taxi receipt.pdf}", `{kind: "other"}`, `{day: "2026-11-23"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("after the restart, there is no %s: %s", want, got)
		}
	}
	const content = `local r = claims.items[1].receipt return r.mime .. ", " .. r.size .. ", " .. r.text`
	if got := b.do("ui_run", map[string]any{"code": content}); !strings.Contains(got, "application/pdf, 8, %PDF-1.7") {
		t.Errorf("after the restart, the receipt is %s", got)
	}
}
