-- Files in and out: the content of a chosen file, and a link that downloads what Lua has made.
local File = session:prototype("Catalog.File", { chosen = EMPTY })

function File:data()
    return "data:text/csv;charset=utf-8," .. ("city,days\nOslo,4\n"):gsub("[^%w]", function(c) return ("%%%02X"):format(c:byte()) end)
end

function File:about()
    if not self.chosen then return "Nothing is chosen." end
    return ("%s, %d bytes"):format(self.chosen.name, self.chosen.size)
end

-- Its first lines. A file that is no text has base64 in place of text.
function File:start()
    if not self.chosen then return "" end
    local lines = {}
    for line in (self.chosen.text or "It is no text."):gmatch("[^\r\n]+") do
        lines[#lines + 1] = line
        if #lines == 3 then break end
    end
    return table.concat(lines, "\n")
end

function File:isEmpty() return self:start() == "" end

return File
