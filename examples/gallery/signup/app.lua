-- A registration that checks each field while the person types. The agent gets an event for each
-- guest, and answers in the form: signup:answer("See you in May!").
local Guest = session:prototype("Signup.Guest", { name = "", seats = 1 })
Signup = session:prototype("Signup", { name = "", email = "", seats = 1, food = "anything", capacity = 12, tried = false, reply = "" })

function Signup:new() return session:create(Signup, { guests = {} }) end

function Signup:left()
    local left = self.capacity
    for _, guest in ipairs(self.guests) do left = left - guest.seats end
    return left
end

-- What is wrong with a field, or "". An empty field is wrong once the person has tried to send it.
function Signup:nameError()
    return (self.name:find("%S") or not self.tried) and "" or "Your name, please."
end

function Signup:emailError()
    if self.email == "" then return self.tried and "An address is needed for the answer." or "" end
    local user, host = self.email:match("^([^%s@]+)@([^%s@]+)$")
    if not user then return "An address has one @, and no blanks." end
    return host:find("^[^.].*%.%a%a+$") and "" or "Something is missing after the @."
end

function Signup:seatsError()
    local n = tonumber(self.seats)
    if not n or n < 1 or n % 1 ~= 0 then return "A whole number of seats." end
    return n <= self:left() and "" or ("Only %d seats are left."):format(self:left())
end

function Signup:nameIsWrong() return self:nameError() ~= "" end
function Signup:emailIsWrong() return self:emailError() ~= "" end
function Signup:seatsIsWrong() return self:seatsError() ~= "" end
function Signup:isQuiet() return self.reply == "" end
function Signup:hasGuests() return #self.guests > 0 end

function Signup:send()
    self.tried = true
    if self:nameIsWrong() or self:emailIsWrong() or self:seatsIsWrong() then return end
    table.insert(self.guests, Guest:new({ name = self.name, seats = tonumber(self.seats) }))
    mcp.pushState({ app = "signup", event = "registered", name = self.name, email = self.email, seats = tonumber(self.seats), food = self.food })
    self.reply = "Thank you, " .. self.name .. "."
    self.name, self.email, self.seats, self.tried = "", "", 1, false
end

function Signup:answer(text) self.reply = text end

if not session.reloading then signup = Signup:new() end
mcp:keep("signup", signup)
