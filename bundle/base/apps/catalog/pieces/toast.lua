-- A toast with undo: something is done at once, and can be taken back for a while.
local Toast = session:prototype("Catalog.Toast", { text = "", deleted = EMPTY })

function Toast:new()
    return session:create(Toast, { names = { "Ada", "Bob", "Cleo" } })
end

function Toast:delete()
    if #self.names == 0 then return end
    self.deleted = table.remove(self.names)
    self.text = self.deleted .. " was deleted."
    session:clearTimeout(self._timer)
    self._timer = session:setTimeout(function() self.deleted = nil end, 8000)
end

function Toast:undo()
    table.insert(self.names, self.deleted)
    self.deleted = nil
end

function Toast:list() return table.concat(self.names, ", ") end
function Toast:isEmpty() return #self.names == 0 end
function Toast:isHidden() return self.deleted == nil end

return Toast
