-- A terminal that the person and the agent share. It needs --toolsets terminal.
local Terminal = session:prototype("Catalog.Terminal", {})

function Terminal:start()
    if terminal.available then return terminal.get("catalog") or terminal.create({ name = "catalog", rows = 8 }) end
end

function Terminal:unavailable() return not terminal.available end
function Terminal:isAway() return not (terminal.available and terminal.get("catalog")) end
function Terminal:note() return terminal.available and "Both of you type in it." or terminal.problem or "There are no terminals here." end

return Terminal
