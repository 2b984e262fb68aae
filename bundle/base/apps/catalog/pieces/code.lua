-- Code: a click selects all of it, to be copied.
local Code = session:prototype("Catalog.Code", { text = "counter:add()\nreturn counter.count" })

return Code
