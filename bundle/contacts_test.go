package bundle_test

import (
	"path"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/wait"
)

func TestContacts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const helpers = `
		function names()
			local list = {}
			for i, c in ipairs(contacts:matches()) do list[i] = c.name end
			return table.concat(list, ", ")
		end
		function add(name, email)
			contacts.newName, contacts.newEmail = name, email
			contacts:add()
			return contacts.problem
		end
		bundled = bundled or (function()
			local list = {}
			for i, c in ipairs(contacts.items) do list[i] = { name = c.name, email = c.email } end
			return list
		end)()
		contacts = AddressBook:new(bundled) -- each case begins with the contacts of the bundle
	`
	w.display("1", "contacts")
	for _, c := range []struct{ name, run, want string }{
		{"sorted by name", `return names()`, "Ada Lovelace, Alan Turing, Grace Hopper, Katherine Johnson"},
		{"count", `return contacts:summary()`, "4 contacts"},
		{"search by name", `contacts.query = " GRACE "; return names() .. "; " .. contacts:summary()`, "Grace Hopper; 1 of 4 contacts"},
		{"search by email", `contacts.query = "alan@"; return names()`, "Alan Turing"},
		{"search is no pattern", `contacts.query = "a.a@"; return names()`, ""},
		{"nobody matches", `contacts.query = "zz"; return contacts:emptyText()`, `Nobody matches "zz".`},
		{"add", `add("  Edsger Dijkstra ", "ed@example.org"); contacts.query = "edsger"; return names() .. contacts.newName`, "Edsger Dijkstra"},
		{"add shows what it added", `contacts.query = "ada"; add("Bo", ""); return contacts:summary()`, "5 contacts"},
		{"add without a name", `return add("  ", "a@b") .. " " .. #contacts.items`, "A contact needs a name. 4"},
		{"add with a bad email", `return add("Bo", "bo at home") .. " " .. #contacts.items`, `"bo at home" is not an email address. 4`},
		{"problem goes away", `add("", ""); local wrong = contacts:nameIsWrong(); add("Bo", "bo@x"); return tostring(wrong) .. contacts.problem .. tostring(contacts:nameIsWrong())`, "truefalse"},
		{"selection", `local c = contacts.items[2]; c:select(); return tostring(c:isSelected()) .. tostring(contacts.items[1]:isSelected())`, "truefalse"},
		{"remove", `contacts.items[1]:remove(); return names()`, "Alan Turing, Grace Hopper, Katherine Johnson"},
		{"remove the selected one", `contacts.items[1]:select(); contacts.items[1]:remove(); return tostring(contacts:nothingSelected())`, "true"},
		{"remove all", `while contacts.items[1] do contacts.items[1]:remove() end; return contacts:emptyText() .. contacts:summary()`, "No contacts yet. Add the first one above.0 contacts"},
		{"initials", `return contacts.items[1]:initials()`, "AL"},
		{"initials of one word", `return AddressBookEntry:new({ name = "plato" }):initials()`, "P"},
		{"initials that are alike", `return AddressBookEntry:new({ name = "Ann Archer" }):initials()`, "AA"},
		{"initials of three words", `return AddressBookEntry:new({ name = "Juan de Prado" }):initials()`, "JP"},
		{"initials beyond ASCII", `return AddressBookEntry:new({ name = "王 小明" }):initials()`, "王小"},
		{"no name", `local c = AddressBookEntry:new({}); return c:initials() .. c:displayName()`, "?No name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := w.text("1", helpers+c.run); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("send", func(t *testing.T) {
		if got := w.text("1", helpers+`local before = contacts:wasNotSent() contacts.items[1].name = "Ada" contacts:send()
			return tostring(before) .. tostring(contacts:wasNotSent())`); got != "truefalse" {
			t.Errorf("not sent before and after: %s", got)
		}
		const want = `[{"app":"contacts","contacts":[{"email":"ada@example.org","name":"Ada"},{"email":"alan@example.org","name":"Alan Turing"},` +
			`{"email":"grace@example.org","name":"Grace Hopper"},{"email":"katherine@example.org","name":"Katherine Johnson"}],"event":"sent"}]`
		if got := w.events("1"); got != want {
			t.Errorf("events %s, want %s", got, want)
		}
		wait.Until(t, "the page no longer says so", func() bool { return w.run("1", "return contacts:wasNotSent()") == "true" })
	})
	t.Run("every control", func(t *testing.T) {
		w := newWorld(t)
		w.display("1", "contacts")
		w.run("1", "contacts.items[1]:select()")
		w.useAll("1")
	})
}

// What the person has changed in the bundled app and in the example is there after a restart, with
// no word about saving from anyone.
func TestKeptByBundledApps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		world             func(*testing.T) *world
		change, ask, want string
	}{
		"contacts": {
			func(t *testing.T) *world { return newWorld(t) },
			`contacts.items[1]:remove() contacts.items[1]:select() contacts:append("Bo", "") contacts.newName = "Cy" contacts:send()`,
			`return contacts:summary() .. ", " .. contacts.selected.name .. ", " .. contacts.newName .. ", " .. tostring(contacts:wasNotSent()) .. ", " .. tostring(contacts.selected == contacts.items[1])`,
			"4 contacts, Alan Turing, Cy, true, true",
		},
		"the example": {
			exampleWorld,
			`contacts.name = "Bo" contacts:add() contacts:reply("Hello") contacts.draft = "Who"`,
			`return contacts:summary() .. ", " .. contacts.messages[1]:sender() .. ": " .. contacts.messages[1].text .. ", " .. contacts.draft`,
			"1 contact, Agent: Hello, Who",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := tt.world(t)
			w.display("1", "contacts")
			w.run("1", tt.change)
			w.restart()
			w.display("1", "contacts")
			if got := w.text("1", tt.ask); got != tt.want {
				t.Errorf("after the restart: %s, want %s", got, tt.want)
			}
			if name != "contacts" {
				return
			}
			// The example takes the place of the bundled app, as its design.md says. It is not
			// given the data of that one, which are of another type.
			for file, text := range files(t, "") {
				if rel, ok := strings.CutPrefix(file, examples+"/"); ok && path.Ext(file) != ".md" {
					w.write("apps/contacts/"+rel, text)
				}
			}
			w.restart()
			w.display("1", "contacts")
			if got := w.text("1", `return contacts:summary()`); got != "0 contacts" {
				t.Errorf("the example in place of the bundled app has %s", got)
			}
		})
	}
}
