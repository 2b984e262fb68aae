-- Contacts, with a chat with the agent. design.md describes it.

------------------------------------------------------------------- Contact

Contact = session:prototype("Contact", {
    name = "",
    email = "",
})

-- A row's view definition sees the row's object only. Methods that affect the whole app use its
-- global.
function Contact:remove() contacts:remove(self) end

--------------------------------------------------------------- ChatMessage

ChatMessage = session:prototype("ChatMessage", {
    text = "",
    fromAgent = false,
})

function ChatMessage:sender() return self.fromAgent and "Agent" or "You" end

---------------------------------------------------------------- ContactApp

ContactApp = session:prototype("ContactApp", {
    name = "",    -- the form for a new contact
    email = "",
    problem = "", -- what is wrong with the form, or ""
    draft = "",   -- the chat message that is being written
})

-- Tables belong into new: one in the prototype would be shared by all instances.
function ContactApp:new()
    return session:create(ContactApp, { items = {}, messages = {} })
end

function ContactApp:sorted()
    local list = {}
    for i, contact in ipairs(self.items) do list[i] = contact end
    table.sort(list, function(a, b) return a.name:lower() < b.name:lower() end)
    return list
end

function ContactApp:summary()
    local n = #self.items
    return n == 1 and "1 contact" or n .. " contacts"
end

function ContactApp:add()
    if not self.name:find("%S") then
        self.problem = "A contact needs a name."
    elseif self.email ~= "" and not self.email:find("^[^%s@]+@[^%s@]+$") then
        self.problem = self.email .. " is not an email address."
    else
        table.insert(self.items, Contact:new({ name = self.name, email = self.email }))
        self.name, self.email, self.problem = "", "", ""
    end
end

function ContactApp:remove(contact)
    for i, other in ipairs(self.items) do
        if other == contact then return table.remove(self.items, i) end
    end
end

-- The person's message appears in the chat and goes to the agent as an event.
function ContactApp:send()
    if not self.draft:find("%S") then return end
    table.insert(self.messages, ChatMessage:new({ text = self.draft }))
    mcp.pushState({ app = "contacts", event = "chat", text = self.draft })
    self.draft = ""
end

-- For the agent: contacts:reply("…") with ui_run.
function ContactApp:reply(text)
    table.insert(self.messages, ChatMessage:new({ text = text, fromAgent = true }))
end

function ContactApp:agentIsHere() return mcp:pollingEvents() end

function ContactApp:agentText()
    return self:agentIsHere() and "The agent is listening" or "The agent is busy and will read this later"
end

-- Made once. When this file is saved again, the object stays and gets the new methods.
if not session.reloading then
    contacts = ContactApp:new()
end

-- Saves everything by itself, and restores it at the next start.
mcp:keep("contacts", contacts)
