-- An empty state that says what to do.
local Empty = session:prototype("Catalog.Empty", { notes = 0 })

function Empty:add() self.notes = self.notes + 1 end
function Empty:clear() self.notes = 0 end
function Empty:isEmpty() return self.notes == 0 end
function Empty:isFilled() return self.notes > 0 end

return Empty
