-- A wizard: steps that can be gone back to, and a focus that follows.
local Wizard = session:prototype("Catalog.Wizard", { step = 1, name = "", city = "", turned = 0 })

function Wizard:go(by) self.step, self.turned = self.step + by, self.turned + 1 end
function Wizard:next() if self.step < 3 then self:go(1) end end
function Wizard:back() if self.step > 1 then self:go(-1) end end
function Wizard:title() return ("Step %d of 3: %s"):format(self.step, ({ "Name", "City", "Check" })[self.step]) end
function Wizard:notName() return self.step ~= 1 end
function Wizard:notCity() return self.step ~= 2 end
function Wizard:notCheck() return self.step ~= 3 end
function Wizard:isFirst() return self.step == 1 end
function Wizard:isLast() return self.step == 3 end
function Wizard:moved() return self.turned > 0 and self.turned or nil end

return Wizard
