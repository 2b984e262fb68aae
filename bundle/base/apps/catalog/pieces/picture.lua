-- A picture from html/, or one that Lua makes.
local Picture = session:prototype("Catalog.Picture", { hue = 230 })

function Picture:data()
    return "data:image/svg+xml," .. ("%%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 5'%%3E%%3Crect width='16' height='5' fill='hsl(%d 60%% 50%%)'/%%3E%%3Ccircle cx='12' cy='2' r='1' fill='white'/%%3E%%3C/svg%%3E"):format(self.hue)
end

function Picture:text() return "A circle on a ground of hue " .. self.hue end
function Picture:next() self.hue = (self.hue + 60) % 360 end

return Picture
