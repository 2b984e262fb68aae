-- A filter that follows each key, and says when nothing is left.
local Filter = session:prototype("Catalog.Filter", { query = "" })
local City = session:prototype("Catalog.Filter.City", { name = "" })

function Filter:new()
    local filter = session:create(Filter, { cities = {} })
    for i, name in ipairs({ "Amsterdam", "Bern", "Oslo", "Rome" }) do filter.cities[i] = City:new({ name = name }) end
    return filter
end

function Filter:found()
    local list = {}
    for _, city in ipairs(self.cities) do
        if city.name:lower():find(self.query:lower(), 1, true) then table.insert(list, city) end
    end
    return list
end

function Filter:foundSome() return #self:found() > 0 end

return Filter
