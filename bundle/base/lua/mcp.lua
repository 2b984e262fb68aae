-- mcp.lua runs when a session starts, right after the table mcp was created. It defines the page
-- around the apps.
--
-- It makes the page's header: the name of the displayed app, a menu of the others, and whether the
-- agent listens. viewdefs/MCP.DEFAULT.html displays it while mcp.shell exists. You may change all
-- of it.

local Shell = session:prototype("MCP.Shell", { apps = EMPTY })
local Entry = session:prototype("MCP.ShellApp", { name = "" })

-- The title of an app: "my-app" becomes "My app".
local function title(name)
    local words = name:gsub("[-_]+", " ")
    return words:sub(1, 1):upper() .. words:sub(2)
end

-- The global that holds an app: myApp for "my-app".
local function object(name)
    return _G[(name:gsub("[-_]+(%w)", string.upper))]
end

---------------------------------------------------------------------- Entry
-- One app in the menu.

function Entry:title() return title(self.name) end
function Entry:isShown() return mcp.value ~= nil and object(self.name) == mcp.value end
function Entry:current() return self:isShown() and "page" or nil end

function Entry:show()
    local shown, problem = mcp:display(self.name)
    mcp.shell._failed = not shown and { text = self:title() .. " is not displayed: " .. problem:match("[^\n]*"), beside = mcp.value }
    if not shown then error(problem, 0) end
end

---------------------------------------------------------------------- Shell

-- The app "terminals" has nothing to show where there are no terminals.
local function isUseful(name) return name ~= "terminals" or terminal.available end

-- Apps are files that can appear and disappear, so opening the menu reads the list again.
function Shell:refresh()
    local known = {}
    for _, entry in ipairs(self.apps) do known[entry.name] = entry end
    self.apps = {}
    for _, name in ipairs(mcp:apps()) do
        if isUseful(name) then
            table.insert(self.apps, known[name] or session:create(Entry, { name = name }))
        end
    end
end

-- What to open while nothing is displayed. It is read again whenever files have changed.
function Shell:choice()
    if mcp.value ~= nil then return {} end
    self:refresh()
    return self.apps
end

function Shell:hasApps() return #self.apps > 0 end

function Shell:shown()
    for _, entry in ipairs(self.apps) do
        if entry:isShown() then return entry end
    end
end

-- The title of the displayed app.
function Shell:title()
    if mcp.value == nil then return "No app" end
    if not self:shown() then self:refresh() end -- it may be new
    local entry = self:shown()
    return entry and entry:title() or type(mcp.value) == "table" and mcp.value.type or "App"
end

-- Why the app that the person has chosen is not displayed, until another one is.
function Shell:failure()
    local failed = self._failed
    return failed and failed.beside == mcp.value and failed.text or ""
end

function Shell:agentListens() return mcp:pollingEvents() end

function Shell:agentText()
    return mcp:pollingEvents() and "Agent listening" or "Agent not listening"
end

function Shell:agentHint()
    return mcp:pollingEvents() and "What you do here reaches your agent at once."
        or "Your agent is not waiting for what you do here. It gets everything when it asks."
end

mcp.shell = session:create(Shell, { apps = {} })
mcp.shell:refresh()
