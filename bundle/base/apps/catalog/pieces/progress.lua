-- Progress that a timer moves.
local Progress = session:prototype("Catalog.Progress", { done = 40 })

function Progress:start()
    self.done = 0
    self._timer = self._timer or session:setInterval(function() self:step() end, 200)
end

function Progress:step()
    self.done = math.min(100, self.done + 5)
    if self.done == 100 then
        session:clearInterval(self._timer)
        self._timer = nil
    end
end

function Progress:label() return self.done .. " %" end

return Progress
