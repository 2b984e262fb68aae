-- A log with levels that stays at its end, unless the person has scrolled away. Errors are events
-- for the agent, also when no page is open.
local Log = session:prototype("Catalog.Log", { level = "all" })
local Line = session:prototype("Catalog.Log.Line", { text = "", level = "info", log = EMPTY })

function Log:new()
    local log = session:create(Log, { lines = {} })
    log:add("Started")
    return log
end

-- Takes a text and a level: info, warning or error.
function Log:add(text, level)
    local line = Line:new({ text = text, level = level, log = self })
    table.insert(self.lines, line)
    if #self.lines > 500 then table.remove(self.lines, 1) end
    if level == "error" then line:tell() end
end

function Log:info() self:add("Step " .. #self.lines .. " is done") end
function Log:fail() self:add("Step " .. #self.lines .. " has failed", "error") end
function Log:clear() self.lines = {} end

function Log:found()
    if self.level == "all" then return self.lines end
    local list = {}
    for _, line in ipairs(self.lines) do
        if line.level == self.level then table.insert(list, line) end
    end
    return list
end

function Line:look() return ({ warning = "warning", error = "danger" })[self.level] end
function Line:tell() mcp.pushState({ app = "catalog", event = "line", level = self.level, text = self.text }) end
function Line:remove()
    for i, line in ipairs(self.log.lines) do
        if line == self then return table.remove(self.log.lines, i) end
    end
end

return Log
