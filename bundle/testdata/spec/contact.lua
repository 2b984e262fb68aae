-- Declare prototype (preserves identity on reload)
Contact = session:prototype("Contact", {
    name = "",
    email = "",
})

-- Override :new() only when needed (default provided)
function Contact:new(data)
    local instance = session:create(Contact, data)
    return instance
end

-- Guard instance creation (idempotent)
if not session.reloading then
    contact = Contact:new()
end
