-- Contacts: a small address book, and an example of how an app is made.
--
-- An app consists of objects. View definitions (viewdefs/TYPE.NAMESPACE.html) name their fields and
-- methods, and after everything that happens the page displays their current values. So no line in
-- this file draws anything.
--
-- Save this file while the app is open: the methods are replaced and the data stays. They also stay
-- when the server ends: mcp:keep, at the end of this file, saves them.

local function trim(text)
    return (text:gsub("^%s+", ""):gsub("%s+$", ""))
end

local function contains(text, part)
    return text:lower():find(part:lower(), 1, true) ~= nil
end

-------------------------------------------------------------- AddressBookEntry
-- One person. AddressBookEntry.list-item.html displays it as a row of the list,
-- AddressBookEntry.DEFAULT.html as a form.

AddressBookEntry = session:prototype("AddressBookEntry", {
    name = "",
    email = "",
    tone = 0, -- the colour of the initials, 0 to 5
})

function AddressBookEntry:displayName()
    local name = trim(self.name)
    return name ~= "" and name or "No name"
end

-- The first letters of the first and the last word: AL for "Ada Lovelace". A letter may take
-- several bytes in UTF-8.
function AddressBookEntry:initials()
    local letters = {}
    for letter in self.name:gmatch("(%S[\128-\191]*)%S*") do
        table.insert(letters, letter:upper())
    end
    if #letters == 0 then return "?" end
    if #letters == 1 then return letters[1] end
    return letters[1] .. letters[#letters]
end

-- A row's view definition sees the row's object only. Methods that affect the whole app use its
-- global.
function AddressBookEntry:select() contacts:select(self) end
function AddressBookEntry:remove() contacts:remove(self) end
function AddressBookEntry:isSelected() return contacts.selected == self end

------------------------------------------------------------------- AddressBook

AddressBook = session:prototype("AddressBook", {
    query = "",    -- the text of the search field
    newName = "",  -- the fields of the form for a new contact
    newEmail = "",
    problem = "",  -- what is wrong with them, or ""
})

function AddressBook:new(people)
    local app = session:create(AddressBook, {
        items = {}, -- a table of its own: one in the prototype would be shared
    })
    for _, person in ipairs(people or {}) do
        app:append(person.name, person.email)
    end
    return app
end

function AddressBook:append(name, email)
    local contact = AddressBookEntry:new({ name = name, email = email, tone = #self.items % 6 })
    table.insert(self.items, contact)
    return contact
end

-- The contacts in the list, in order. Rows belong to their objects, so this may be a new table each
-- time.
function AddressBook:matches()
    local query, found = trim(self.query), {}
    for _, contact in ipairs(self.items) do
        if query == "" or contains(contact.name, query) or contains(contact.email, query) then
            table.insert(found, contact)
        end
    end
    table.sort(found, function(a, b)
        local x, y = a.name:lower(), b.name:lower()
        if x ~= y then return x < y end
        return a.email < b.email
    end)
    return found
end

function AddressBook:summary()
    local total, shown = #self.items, #self:matches()
    local noun = total == 1 and " contact" or " contacts"
    if shown == total then return total .. noun end
    return shown .. " of " .. total .. noun
end

function AddressBook:hasMatches() return #self:matches() > 0 end

function AddressBook:emptyText()
    if #self.items == 0 then return "No contacts yet. Add the first one above." end
    return "Nobody matches \"" .. trim(self.query) .. "\"."
end

function AddressBook:add()
    local name, email = trim(self.newName), trim(self.newEmail)
    self.problem = ""
    if name == "" then
        self.problem = "A contact needs a name."
    elseif email ~= "" and not email:find("^[^%s@]+@[^%s@]+$") then
        self.problem = "\"" .. email .. "\" is not an email address."
    else
        self:append(name, email)
        self.newName, self.newEmail, self.query = "", "", ""
    end
end

-- Which field the problem is about.
function AddressBook:nameIsWrong() return self.problem ~= "" and not self:emailIsWrong() end
function AddressBook:emailIsWrong() return self.problem:find("email", 1, true) ~= nil end

function AddressBook:select(contact) self.selected = contact end
function AddressBook:close() self.selected = nil end
function AddressBook:hasSelection() return self.selected ~= nil end
function AddressBook:nothingSelected() return self.selected == nil end

function AddressBook:remove(contact)
    for i, c in ipairs(self.items) do
        if c == contact then
            table.remove(self.items, i)
            break
        end
    end
    if self.selected == contact then self.selected = nil end
end

-- Sends the contacts to the agent as an event, for what the person asks it to do with them.
function AddressBook:send()
    local list = {}
    for _, contact in ipairs(self.items) do
        table.insert(list, { name = contact.name, email = contact.email })
    end
    mcp.pushState({ app = "contacts", event = "sent", contacts = list })
    self._sent = true -- names that start with _ are not kept, and agents do not see them
    session:setTimeout(function() self._sent = nil end, 3000)
end

function AddressBook:wasNotSent() return not self._sent end

function AddressBook:sentText() return mcp:pollingEvents() and "Sent" or "Kept until the agent asks" end

-- The app itself: a global named after its directory. It is made once, and keeps its data when this
-- file is loaded again.
if not session.reloading then
    contacts = AddressBook:new({
        { name = "Ada Lovelace", email = "ada@example.org" },
        { name = "Alan Turing", email = "alan@example.org" },
        { name = "Grace Hopper", email = "grace@example.org" },
        { name = "Katherine Johnson", email = "katherine@example.org" },
    })
end

-- From the second start on, the data of the last one. The name of the file in data/ is not
-- "contacts", so that another app in place of this one can have that.
mcp:keep("address-book", contacts)
