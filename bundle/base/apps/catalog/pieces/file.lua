-- Files out: a link that downloads what Lua has made. A chosen file's content stays in the browser;
-- its name arrives.
local File = session:prototype("Catalog.File", { chosen = "" })

function File:data()
    return "data:text/csv;charset=utf-8," .. ("city,days\nOslo,4\n"):gsub("[^%w]", function(c) return ("%%%02X"):format(c:byte()) end)
end

function File:text() return self.chosen == "" and "Nothing is chosen." or "Chosen: " .. self.chosen end

return File
