-- A table whose columns sort it.
local Table = session:prototype("Catalog.Table", { key = "city", down = false })
local Trip = session:prototype("Catalog.Table.Trip", { city = "", days = 0, price = 0 })

function Table:new()
    local trips = {}
    for _, t in ipairs({ { "Oslo", 4, 320 }, { "Rome", 7, 450 }, { "Bern", 2, 210 } }) do
        table.insert(trips, Trip:new({ city = t[1], days = t[2], price = t[3] }))
    end
    return session:create(Table, { trips = trips })
end

function Table:sorted()
    local list = { unpack(self.trips) }
    table.sort(list, function(a, b)
        local x, y = a[self.key], b[self.key]
        if self.down then return x > y end
        return x < y
    end)
    return list
end

function Table:by(key) self.down, self.key = self.key == key and not self.down, key end
function Table:byCity() self:by("city") end
function Table:byDays() self:by("days") end
function Table:byPrice() self:by("price") end
function Table:order(key) return self.key == key and (self.down and "descending" or "ascending") or nil end
function Table:cityOrder() return self:order("city") end
function Table:daysOrder() return self:order("days") end
function Table:priceOrder() return self:order("price") end

return Table
