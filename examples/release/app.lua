-- A release that the person and the agent prepare together: what is left to do, what the agent
-- says, and the terminal "release", in which both work.
Step = session:prototype("Release.Step", { text = "", done = false })
Release = session:prototype("Release", { version = "2.4.0", draft = "", remark = "" }) -- the agent's remark

function Release:new()
    local steps = {}
    for i, text in ipairs({ "Write the changelog", "Run the tests", "Publish" }) do steps[i] = Step:new({ text = text }) end
    return session:create(Release, { steps = steps })
end

function Release:add()
    if not self.draft:find("%S") then return end
    table.insert(self.steps, #self.steps, Step:new({ text = self.draft }))
    self.draft = ""
end

-- For the agent: tick("Run the tests").
function Release:tick(text)
    for _, step in ipairs(self.steps) do
        if step.text == text then step.done = true end
    end
end


function Release:percent()
    local done = 0
    for _, step in ipairs(self.steps) do
        if step.done then done = done + 1 end
    end
    return math.floor(100 * done / #self.steps)
end

function Release:isQuiet() return self.remark == "" end

-- The shell for both.
function Release:terminal()
    return terminal.get("release") or terminal.create({ name = "release", rows = 16, cols = 54 })
end

if not session.reloading then release = Release:new() end
release:terminal()
