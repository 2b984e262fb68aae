package bundle_test

import (
	"fmt"
	"testing"
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
	`
	for i, c := range []struct{ name, run, want string }{
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
		{"nothing to save", `return tostring(contacts:isSaved())`, "true"},
		{"something to save", `contacts.items[1].email = "new@example.org"; return tostring(contacts:isSaved())`, "false"},
		{"initials", `return contacts.items[1]:initials()`, "AL"},
		{"initials of one word", `return AddressBookEntry:new({ name = "plato" }):initials()`, "P"},
		{"initials that are alike", `return AddressBookEntry:new({ name = "Ann Archer" }):initials()`, "AA"},
		{"initials of three words", `return AddressBookEntry:new({ name = "Juan de Prado" }):initials()`, "JP"},
		{"initials beyond ASCII", `return AddressBookEntry:new({ name = "王 小明" }):initials()`, "王小"},
		{"no name", `local c = AddressBookEntry:new({}); return c:initials() .. c:displayName()`, "?No name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			session := fmt.Sprint("s", i)
			w.display(session, "contacts")
			if got := w.text(session, helpers+c.run); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("save", func(t *testing.T) {
		w.display("save", "contacts")
		if got := w.run("save", `contacts.items[1].name = "Ada"; contacts:save(); return contacts:isSaved()`); got != "true" {
			t.Errorf("saved: %s", got)
		}
		const want = `[{"app":"contacts","contacts":[{"email":"ada@example.org","name":"Ada"},{"email":"alan@example.org","name":"Alan Turing"},` +
			`{"email":"grace@example.org","name":"Grace Hopper"},{"email":"katherine@example.org","name":"Katherine Johnson"}],"event":"save"}]`
		if got := w.events("save"); got != want {
			t.Errorf("events %s, want %s", got, want)
		}
	})
	t.Run("every control", func(t *testing.T) {
		w.display("all", "contacts")
		w.run("all", "contacts.items[1]:select()")
		w.useAll("all")
	})
}
