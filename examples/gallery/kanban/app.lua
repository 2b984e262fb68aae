-- A board with a limit for what is being done. Cards are dragged, by finger, too, or moved with
-- Ctrl and an arrow; the agent moves them as well: kanban:move("Plan", "Doing"). The board itself
-- is a piece of the catalogue.
local Board = require("apps.catalog.pieces.board")

Kanban = session:prototype("Kanban", { draft = "", limit = 2 })

function Kanban:new()
    local app = session:create(Kanban, { board = Board:new() })
    for _, title in ipairs({ "Fix the login", "Answer the survey", "Write release notes" }) do app.board:add(title) end
    app._places = app:places()
    return app
end

function Kanban:add()
    if not self.draft:find("%S") then return end
    self.board:add(self.draft)
    self.draft = ""
end

-- The columns of all cards by title.
function Kanban:places()
    local places = {}
    for _, column in ipairs(self.board.columns) do
        for _, card in ipairs(column.cards) do places[card.title] = column.title end
    end
    return places
end

-- For the agent.
function Kanban:move(title, to)
    for _, column in ipairs(self.board.columns) do
        for _, card in ipairs(column.cards) do
            if card.title == title then
                for _, target in ipairs(self.board.columns) do if target.title == to then return target:take(card) end end
            end
        end
    end
    error("there is no card " .. title .. " or no column " .. to)
end

function Kanban:doing() return #self.board.columns[2].cards end
function Kanban:summary() return ("%d of %d in progress"):format(self:doing(), self.limit) end
function Kanban:isCalm() return self:doing() <= self.limit end

-- Each move is news for the agent.
function Kanban:watch()
    local now, before = self:places(), self._places or {}
    for title, column in pairs(now) do
        if before[title] and before[title] ~= column then
            mcp.pushState({ app = "kanban", event = "moved", card = title, to = column, over = not self:isCalm() })
        end
    end
    self._places = now
end

if not session.reloading then
    kanban = Kanban:new()
    session:setInterval(function() kanban:watch() end, 300)
end
mcp:keep("kanban", kanban)
