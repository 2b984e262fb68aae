-- Terminals: a workbench for a person and an agent. Both see the same terminals and what the other
-- has typed there. The person can stop a program, and take the keyboard from the agent.
--
-- It needs ui-mcp with terminals (--toolsets ui,popup,terminal), and says so without them.

--------------------------------------------------------------------- Workbench

Workbench = session:prototype("Workbench", {
    selected = EMPTY,   -- the WorkbenchRow of the terminal that is displayed large
    newName = "",       -- the fields of the form for a new terminal
    newCommand = "",
    problem = "",
})

function Workbench:new()
    return session:create(Workbench, { _rows = {} })
end

function Workbench:available() return terminal.available end
function Workbench:unavailable() return not terminal.available end
function Workbench:reason() return terminal.problem or "" end

-- The rows, one for each terminal. A row stays the same object, so the page keeps its terminal.
function Workbench:sessions()
    if not terminal.available then return {} end
    local rows, kept = {}, {}
    for _, t in ipairs(terminal.list()) do
        local row = self._rows[t] or WorkbenchRow:new({ terminal = t })
        kept[t] = row
        table.insert(rows, row)
    end
    self._rows = kept
    return rows
end

function Workbench:isEmpty() return terminal.available and #self:sessions() == 0 end
function Workbench:isFilled() return #self:sessions() > 0 end

function Workbench:summary()
    local waiting, all = 0, self:sessions()
    for _, row in ipairs(all) do
        if row.terminal.waits then waiting = waiting + 1 end
    end
    if #all == 0 then return "Nothing runs" end
    local text = #all == 1 and "1 terminal" or #all .. " terminals"
    if waiting > 0 then text = text .. ", " .. waiting .. (waiting == 1 and " waits" or " wait") .. " for somebody" end
    return text
end

-- The selected terminal, or the first one, unless it was removed.
function Workbench:current()
    local rows = self:sessions()
    for _, row in ipairs(rows) do
        if row == self.selected then return row end
    end
    return rows[1]
end

function Workbench:add()
    self.problem = ""
    local options = {}
    if self.newName ~= "" then options.name = self.newName end
    if self.newCommand ~= "" then options.command = self.newCommand end
    terminal.create(options, function(t, err)
        if err then
            self.problem = err
            return
        end
        self.newName, self.newCommand = "", ""
        self:sessions()
        self.selected = self._rows[t]
    end)
end

------------------------------------------------------------------ WorkbenchRow
-- One terminal: WorkbenchRow.list-item.html in the list, WorkbenchRow.DEFAULT.html large.

WorkbenchRow = session:prototype("WorkbenchRow", {
    terminal = EMPTY,   -- of the table terminal: name, state, title, lastCommand, keyboard...
    problem = "",
    closing = false,    -- Close was pressed, and a program would end
})

function WorkbenchRow:select() terminals.selected = self end
function WorkbenchRow:isSelected() return terminals:current() == self end

local states = {
    starting = "starting", running = "running", prompt = "ready", line = "waits for a line", secret = "asks for a secret",
    fullscreen = "full screen", ended = "ended", failed = "failed", removed = "removed",
}

function WorkbenchRow:state()
    local t = self.terminal
    if t.state == "ended" then
        return t.endedBy and "ended by " .. t.endedBy or "ended with " .. tostring(t.status)
    end
    return states[t.state] or t.state
end

function WorkbenchRow:needsPerson() return self.terminal.waits ~= nil end
function WorkbenchRow:isBusy() return self.terminal.state == "running" or self.terminal.state == "fullscreen" end
function WorkbenchRow:hasEnded() return not self.terminal.running end

function WorkbenchRow:command()
    local c = self.terminal.lastCommand
    if not c or c.line == "" then return self.terminal.command or "" end
    return c.line:match("[^\n]*")
end

-- How the last command has ended: "status 0 in 1.2 s", or what it does.
function WorkbenchRow:outcome()
    local c = self.terminal.lastCommand
    if not c then return "" end
    if c.running then return self:state() end
    local took = c.duration and (" in " .. (c.duration < 1000 and c.duration .. " ms" or ("%.1f s"):format(c.duration / 1000))) or ""
    return (c.status and "status " .. c.status or "done") .. took
end

function WorkbenchRow:failed()
    local c = self.terminal.lastCommand
    return c ~= nil and c.status ~= nil and c.status ~= 0
end

-- Stop asks the program to end. If it goes on, other buttons insist: one that did more each time
-- would do it at a double click. They go with the command, and after ten seconds.
function WorkbenchRow:stop()
    self.problem = ""
    self._stopping = self:number()
    self.terminal:keys("C-c", function(ok, err) if err then self.problem = err end end)
    session:clearTimeout(self._forget)
    self._forget = session:setTimeout(function() self._stopping = nil end, 10000)
end
function WorkbenchRow:terminate() self:signal("TERM") end
function WorkbenchRow:insist() self:signal("KILL") end
function WorkbenchRow:signal(name)
    self.terminal:signal(name, function(ok, err) self.problem = err or "" end)
end

-- The number of the command that runs. It may run already when lastCommand still is the one before.
function WorkbenchRow:number()
    local c = self.terminal.lastCommand
    return c and (c.running and c.number or c.number + 1) or 1
end

-- Whether Stop was pressed for the present command.
function WorkbenchRow:isStopping() return self._stopping == self:number() and not self:cannotStop() end
function WorkbenchRow:isNotStopping() return not self:isStopping() end
function WorkbenchRow:cannotStop() return self:isIdle() or self.terminal.keyboard ~= nil end

-- The keyboard: while the person has it, what agents and apps type is refused. The terminal gets
-- the focus then.
function WorkbenchRow:isMine() return self.terminal.running and self.terminal.keyboard ~= nil end
function WorkbenchRow:isShared() return not self:isMine() end
function WorkbenchRow:take()
    self.terminal:takeKeyboard("The person", function(ok, err) self.problem = err or "" end)
end
function WorkbenchRow:give()
    self.terminal:giveKeyboard(function(ok, err) self.problem = err or "" end)
end

-- Closing a terminal ends its programs, so the person is asked while one runs.
function WorkbenchRow:isIdle() return self.terminal.state == "prompt" or not self.terminal.running end
function WorkbenchRow:close()
    if self:isIdle() then self:finish() else self.closing = true end
end
function WorkbenchRow:finish()
    self.closing = false
    self.terminal:kill(function(ok, err) self.problem = err or "" end)
end
function WorkbenchRow:keep() self.closing = false end
function WorkbenchRow:isClosing() return self.closing and not self:isIdle() end
function WorkbenchRow:isNotClosing() return not self:isClosing() end
function WorkbenchRow:ends()
    local line = self:command()
    return (line == "" and "A program" or "“" .. line .. "”") .. " runs here, and ends with the terminal."
end

-- Whose terminal decides the size.
function WorkbenchRow:size()
    local t = self.terminal
    return t.rows and ("%d × %d%s"):format(t.cols, t.rows, t.leader and ", as " .. t.leader .. " has it" or "") or ""
end

-- The ledger: who has typed what, the newest first. It is read again after each command, and when
-- the person asks.
function WorkbenchRow:readLedger()
    self.terminal:typed(30, function(list, err)
        self._ledger = {}
        for i, e in ipairs(type(list) == "table" and list or {}) do
            local who = e.from.kind == "attach" and "Person" or (e.from.name or e.from.kind)
            local what = e.text
            if e.secret then what = "a secret" end
            if not what or what == "" then what = e.count .. (e.count == 1 and " key" or " keys") end
            table.insert(self._ledger, 1, WorkbenchEntry:new({
                key = e.seq, who = who, person = e.from.kind == "attach",
                what = what:gsub("%s+$", ""), at = e.at:match("T(%d+:%d+:%d+)") or "",
            }))
        end
    end)
end

function WorkbenchRow:ledger()
    local c = self.terminal.lastCommand
    local now = (c and c.line .. tostring(c.running) or "") .. self.terminal.state .. tostring(self.terminal.keyboard)
    if self.terminal.running and self._ledgerAt ~= now then
        self._ledgerAt = now
        self:readLedger()
    end
    return self._ledger or {}
end

function WorkbenchRow:somethingTyped() return #(self._ledger or {}) > 0 end

WorkbenchEntry = session:prototype("WorkbenchEntry", { key = 0, who = "", what = "", at = "", person = false })

if not session.reloading then
    terminals = Workbench:new()
end
