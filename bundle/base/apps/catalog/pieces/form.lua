-- A form with all sorts of controls. Enter submits it.
local Form = session:prototype("Catalog.Form", {
    name = "", guests = 2, day = "", time = "evening", table = "inside", volume = 3, child = false, remind = true, note = "", sent = "",
})

function Form:send()
    self.sent = ("%s: %s guests, %s, %s"):format(self.name, self.guests, self.time, self.table)
end

return Form
