-- Add app menu functionality to mcp global
function mcp:toggleMenu()
    self.menuOpen = not self.menuOpen
end

function mcp:availableApps()
    -- Return list of apps for menu
end
