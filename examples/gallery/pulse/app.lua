-- What a server does, live: pulse follows a log with lines such as "200 GET /cart 31ms", draws how
-- long requests take, and lists them. A click on one asks the agent about it.
local Line = session:prototype("Pulse.Line", { text = "", status = 0, ms = 0, path = "" })
Pulse = session:prototype("Pulse", { file = "server.log", query = "", asked = EMPTY, answer = "", _at = 0 })

function Pulse:new() return session:create(Pulse, { lines = {} }) end

function Pulse:add(text)
    local status, path, ms = text:match("^(%d+) %u+ (%S+) (%d+)ms")
    if not status then return end
    table.insert(self.lines, Line:new({ text = text, status = tonumber(status), path = path, ms = tonumber(ms) }))
    if #self.lines > 1000 then table.remove(self.lines, 1) end
end

-- Reads what was appended to the file since it was last read.
function Pulse:follow()
    local file = io.open(mcp:status().base_dir .. "/" .. self.file)
    if not file then return end
    local size = file:seek("end")
    if size < self._at then self._at = 0 end -- it was begun again
    file:seek("set", self._at)
    local text = file:read("*a"):match("^.*\n") or ""
    self._at = self._at + #text
    file:close()
    for line in text:gmatch("[^\n]+") do self:add(line) end
end

function Pulse:found()
    if self.query == "" then return self.lines end
    local list = {}
    for _, line in ipairs(self.lines) do
        if line.text:find(self.query, 1, true) then table.insert(list, line) end
    end
    return list
end

-- The last 60 durations as points of a curve, of which the slowest is at the top.
function Pulse:points()
    local list, first = {}, math.max(1, #self.lines - 59)
    local most = self:slowest()
    for i = first, #self.lines do
        table.insert(list, ("%d,%d"):format((i - first) * 10, 100 - 95 * self.lines[i].ms / most))
    end
    return table.concat(list, " ")
end

function Pulse:slowest()
    local most = 1
    for i = math.max(1, #self.lines - 59), #self.lines do most = math.max(most, self.lines[i].ms) end
    return most
end

function Pulse:failures()
    local n = 0
    for _, line in ipairs(self.lines) do if line:failed() then n = n + 1 end end
    return n
end

function Pulse:summary() return ("%d requests, %d failed, slowest %d ms"):format(#self.lines, self:failures(), self:slowest()) end
function Pulse:hasLines() return #self.lines > 0 end
function Pulse:isQuiet() return self.answer == "" end

function Line:failed() return self.status >= 500 end
function Line:ask()
    pulse.asked, pulse.answer = self, "Asked the agent about " .. self.path .. "."
    mcp.pushState({ app = "pulse", event = "asked", line = self.text })
end

if not session.reloading then
    pulse = Pulse:new()
    session:setInterval(function() pulse:follow() end, 250)
end
