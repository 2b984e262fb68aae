-- A log that stays at its end, unless the person has scrolled away.
local Log = session:prototype("Catalog.Log", {})
local Line = session:prototype("Catalog.Log.Line", { text = "" })

function Log:new()
    return session:create(Log, { lines = { Line:new({ text = "Started" }) } })
end

function Log:add(text)
    table.insert(self.lines, Line:new({ text = text or "Step " .. #self.lines .. " is done" }))
    if #self.lines > 500 then table.remove(self.lines, 1) end
end

return Log
