-- A dialog above the page. mcp:ask is for questions: nothing in the page can answer those.
local Dialog = session:prototype("Catalog.Dialog", { open = false, name = "Trip" })

function Dialog:show() self.open = true end
function Dialog:close() self.open = false end

return Dialog
