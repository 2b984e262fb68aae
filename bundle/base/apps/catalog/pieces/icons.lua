-- Icons: SVG in the view definition, with a name for those who do not see them.
local Icons = session:prototype("Catalog.Icons", { starred = false })

function Icons:toggle() self.starred = not self.starred end

return Icons
