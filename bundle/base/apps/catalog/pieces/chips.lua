-- Chips: several of a few, and a way to take each away.
local Chips = session:prototype("Catalog.Chips", { draft = "" })
local Chip = session:prototype("Catalog.Chips.Chip", { text = "", chips = EMPTY })

function Chips:new()
    local chips = session:create(Chips, { items = {} })
    chips:put("red")
    chips:put("round")
    return chips
end

function Chips:put(text) table.insert(self.items, Chip:new({ text = text, chips = self })) end

function Chips:add()
    if self.draft:find("%S") then self:put(self.draft) end
    self.draft = ""
end

function Chip:label() return "Remove " .. self.text end
function Chip:remove()
    for i, other in ipairs(self.chips.items) do
        if other == self then return table.remove(self.chips.items, i) end
    end
end

return Chips
