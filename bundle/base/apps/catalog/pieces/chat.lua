-- A chat with the agent, which answers with chat:answer(text) in ui_run.
local Chat = session:prototype("Catalog.Chat", { draft = "" })
local Line = session:prototype("Catalog.Chat.Line", { text = "", sender = "You" })

function Chat:new() return session:create(Chat, { lines = {} }) end

function Chat:send()
    if not self.draft:find("%S") then return end
    table.insert(self.lines, Line:new({ text = self.draft }))
    mcp.pushState({ app = "catalog", event = "chat", text = self.draft })
    self.draft = ""
end

function Chat:answer(text) table.insert(self.lines, Line:new({ text = text, sender = "Agent" })) end

return Chat
