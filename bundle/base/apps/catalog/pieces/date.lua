-- Dates: the person's choice, and what follows from it.
local Date = session:prototype("Catalog.Date", { from = "2026-11-24", to = "2026-11-27" })

local function time(text)
    local y, m, d = text:match("^(%d+)-(%d+)-(%d+)$")
    return y and os.time({ year = y, month = m, day = d, hour = 12 })
end

function Date:nights()
    local a, b = time(self.from), time(self.to)
    if not a or not b then return "Choose two days." end
    local nights = math.floor((b - a) / 86400 + 0.5)
    return nights < 1 and "The way back is later." or nights == 1 and "1 night" or nights .. " nights"
end

return Date
