-- A chart in SVG by bindings: bars, and a line. The table of the same numbers is for everyone.
local Chart = session:prototype("Catalog.Chart", {})
local Bar = session:prototype("Catalog.Chart.Bar", { day = "", value = 0, index = 0 })

function Chart:new()
    local chart = session:create(Chart, { bars = {} })
    for i, day in ipairs({ "Mon", "Tue", "Wed", "Thu", "Fri" }) do
        chart.bars[i] = Bar:new({ day = day, value = ({ 30, 55, 40, 80, 65 })[i], index = i })
    end
    return chart
end

function Chart:points()
    local list = {}
    for _, bar in ipairs(self.bars) do table.insert(list, bar.index * 60 - 25 .. "," .. 100 - bar.value) end
    return table.concat(list, " ")
end

function Chart:summary()
    local parts = {}
    for i, bar in ipairs(self.bars) do parts[i] = bar.day .. " " .. bar.value end
    return table.concat(parts, ", ")
end

function Chart:change()
    for _, bar in ipairs(self.bars) do bar.value = (bar.value + 37) % 100 end
end

function Bar:x() return self.index * 60 - 45 end
function Bar:middle() return self.index * 60 - 25 end
function Bar:y() return 100 - self.value end

return Chart
