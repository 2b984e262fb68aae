-- Settings: each takes effect at once.
local Settings = session:prototype("Catalog.Settings", { sound = true, size = "medium", volume = 40 })

function Settings:summary()
    return self.sound and "Sound at " .. self.volume .. ", text " .. self.size or "No sound, text " .. self.size
end
function Settings:isMute() return not self.sound end

return Settings
