-- Tabs: one of several views. Shoelace has the keys and roles.
local Tabs = session:prototype("Catalog.Tabs", { stops = 3, price = 320 })

return Tabs
