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

-- Guard app creation
if not session:getApp() then
    session:createAppVariable(App:new())
end
