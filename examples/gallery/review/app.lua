-- A change, part by part: the person accepts each, or asks about it, and the agent answers below.
-- The agent loads it with review:load(diff) and answers with review:answer(2, "Because ...").
local Line = session:prototype("Review.Line", { text = "", kind = "same" })
local Part = session:prototype("Review.Part", { number = 0, file = "", question = "", asked = "", reply = "", accepted = false })
Review = session:prototype("Review", { title = "Nothing to review yet" })

function Review:new() return session:create(Review, { parts = {} }) end

local kinds = { ["+"] = "added", ["-"] = "removed" }

-- Reads a change as "git diff" prints it.
function Review:load(diff, title)
    self.parts, self.title = {}, title or "The change"
    local file, part = "", nil
    for text in (diff .. "\n"):gmatch("(.-)\n") do
        if text:find("^diff ") then
            part = nil
        elseif text:find("^%+%+%+ ") and not part then
            file = text:match("^%+%+%+ b?/?(.*)")
        elseif text:find("^@@ ") then
            part = Part:new({ number = #self.parts + 1, file = file, lines = {} })
            table.insert(self.parts, part)
        elseif part and text ~= "" then
            table.insert(part.lines, Line:new({ text = text, kind = kinds[text:sub(1, 1)] or "same" }))
        end
    end
end

function Review:answer(number, text) self.parts[number].reply = text end

function Review:open()
    local n = 0
    for _, part in ipairs(self.parts) do if not part.accepted then n = n + 1 end end
    return n
end

function Review:progress() return ("%d of %d accepted"):format(#self.parts - self:open(), #self.parts) end
function Review:isUnfinished() return #self.parts == 0 or self:open() > 0 end
function Review:commit() mcp.pushState({ app = "review", event = "accepted", title = self.title }) end

function Part:heading() return ("%d. %s"):format(self.number, self.file) end
function Part:toggle() self.accepted = not self.accepted end
function Part:label() return self.accepted and "Accepted" or "Accept" end
function Part:ask()
    if not self.question:find("%S") then return end
    self.asked, self.question, self.reply = self.question, "", ""
    local lines = {}
    for _, line in ipairs(self.lines) do table.insert(lines, line.text) end
    mcp.pushState({ app = "review", event = "question", part = self.number, file = self.file, text = self.asked, lines = table.concat(lines, "\n") })
end

function Part:isUnasked() return self.asked == "" end
function Part:said() return self.reply ~= "" and self.reply or "The agent has not answered yet." end
function Line:isAdded() return self.kind == "added" end
function Line:isRemoved() return self.kind == "removed" end

if not session.reloading then review = Review:new() end
