-- A field whose error belongs to it.
local Field = session:prototype("Catalog.Field", { email = "", problem = "" })

function Field:check()
    self.problem = self.email:find("^[^%s@]+@[^%s@]+$") and "" or "This is not an email address."
end

function Field:isWrong() return self.problem ~= "" end

return Field
