-- A choice from a list of the app: each row is an option, and the second list follows the first.
local Choice = session:prototype("Catalog.Choice", { country = "Italy", city = "Rome" })
local Option = session:prototype("Catalog.Choice.Option", { name = "" })

local function options(names)
    local list = {}
    for i, name in ipairs(names) do list[i] = Option:new({ name = name }) end
    return list
end

function Choice:new()
    return session:create(Choice, {
        countries = options({ "Italy", "Norway" }),
        places = { Italy = options({ "Rome", "Siena" }), Norway = options({ "Bergen", "Oslo" }) },
    })
end

function Choice:cities() return self.places[self.country] end
function Choice:moved() self.city = self:cities()[1].name end
function Choice:summary() return self.city .. " in " .. self.country end

return Choice
