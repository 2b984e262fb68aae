-- A badge whose look follows the state.
local Badge = session:prototype("Catalog.Badge", { state = "running" })

local looks = { running = "primary", passed = "success", failed = "danger" }
local after = { running = "passed", passed = "failed", failed = "running" }

function Badge:look() return looks[self.state] end
function Badge:next() self.state = after[self.state] end

return Badge
