-- A workbench around one terminal: buttons run what a project runs all day, each says how it went,
-- and the agent gets what failed. Person and agent type in the same shell.
local Task = session:prototype("Tasks.Task", { name = "", line = "", outcome = "not run", seconds = 0 })
Tasks = session:prototype("Tasks", { draft = "", problem = "" })

function Tasks:new()
    local app = session:create(Tasks, { tasks = {} })
    for _, t in ipairs({ { "Test", "make test" }, { "Build", "make build" }, { "Status", "git status --short" } }) do
        table.insert(app.tasks, Task:new({ name = t[1], line = t[2] }))
    end
    return app
end

function Tasks:shell()
    return terminal.get("tasks") or terminal.create({ name = "tasks", rows = 14, cols = 56 })
end

-- For the person and for the agent: one more thing to run.
function Tasks:add()
    if not self.draft:find("%S") then return end
    table.insert(self.tasks, Task:new({ name = self.draft, line = self.draft }))
    self.draft = ""
end

function Tasks:hasNoTerminal() return not terminal.available end
function Tasks:hasTerminal() return terminal.available end
function Tasks:isCalm() return self.problem == "" end

function Task:run()
    if not terminal.available then return end
    self.outcome = "running"
    tasks:shell():run(self.line, { timeout = 300000 }, function(result, err)
        self.outcome = err and "unknown" or result.state ~= "done" and result.state or result.status == 0 and "passed" or "failed"
        if err then return end
        self.seconds = result.duration / 1000
        if self.outcome == "failed" then
            tasks.problem = self.name .. " failed. The agent has the output."
            mcp.pushState({ app = "tasks", event = "failed", line = self.line, status = result.status, output = result.output })
        elseif self.outcome == "passed" then
            tasks.problem = ""
        end
    end)
end

function Task:isRunning() return self.outcome == "running" end
function Task:look() return ({ passed = "success", failed = "danger", running = "primary" })[self.outcome] or "warning" end
function Task:says()
    if self.outcome == "passed" or self.outcome == "failed" then return ("%s in %.1f s"):format(self.outcome, self.seconds) end
    return self.outcome
end

if not session.reloading then tasks = Tasks:new() end
if terminal.available then tasks:shell() end
