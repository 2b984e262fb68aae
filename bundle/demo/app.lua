-- The app of "ui-mcp demo": a board, a log and the workbench of terminals, beside what to ask an
-- agent. The three are bundled: the board and the log are pieces of the catalogue, and the
-- workbench is the app terminals.
local Board = require("apps.catalog.pieces.board")
local Log = require("apps.catalog.pieces.log")

Demo = session:prototype("Demo", {})

-- Something to ask an agent.
local Prompt = session:prototype("Demo.Prompt", { text = "" })

function Demo:new()
    local demo = session:create(Demo, { board = Board:new(), log = Log:new(), prompts = {} })
    for i, text in ipairs({
        "Show that you see the demo: add a card for each step of baking bread to the board.",
        "Read the log of the demo, and write into it what I have done so far.",
        "Start top in a terminal of the demo, and tell me what uses the processor most.",
        "Ask me in the page which card to do first, and move it to Doing.",
        "Add a field for a colour to the cards of the demo.",
    }) do
        demo.prompts[i] = Prompt:new({ text = text })
    end
    if terminal.available then terminal.create({ name = "shell" }) end
    demo._seen = demo:now()
    return demo
end

function Demo:workbench() return mcp:app("terminals") end

-- How an agent connects.
function Demo:address() return ("http://127.0.0.1:%d/mcp"):format(mcp:status().mcp_port or 0) end
function Demo:connect() return "claude mcp add --transport http demo " .. self:address() end
function Demo:folder() return (mcp:status().base_dir:gsub("[/\\]%.claude[/\\]ui$", "")) end

-------------------------------------------------------------------------- Log
-- The log tells what has changed, by the person or by an agent.

-- Where each card is, and what each terminal has run.
function Demo:now()
    local now = {}
    for _, column in ipairs(self.board.columns) do
        for _, card in ipairs(column.cards) do now[card] = { of = "“" .. card.title .. "”", is = "is in " .. column.title } end
    end
    for _, t in ipairs(terminal.available and terminal.list() or {}) do
        local c = t.lastCommand
        if c and not c.running and c.line ~= "" then
            now[t] = { of = "Terminal " .. t.name, is = "has run " .. c.line:match("[^\n]*") .. (c.status and ", status " .. c.status or ""), number = c.number }
        end
    end
    return now
end

function Demo:watch()
    local now = self:now()
    for thing, what in pairs(now) do
        local before = self._seen[thing]
        if not before or before.is ~= what.is or before.number ~= what.number then
            self.log:add(os.date("%H:%M:%S  ") .. what.of .. " " .. what.is)
        end
    end
    self._seen = now
end

if not session.reloading then
    demo = Demo:new()
    session:setInterval(function() demo:watch() end, 500)
end
