-- Ten thousand orders: the page holds only the rows near the visible ones, and the list is computed
-- once for each change.
local Order = session:prototype("Orders.Order", { id = 0, customer = "", city = "", amount = 0, paid = false })
Orders = session:prototype("Orders", { query = "", unpaid = false, key = "id", down = false, _changes = 0 })

local names = { "Adams", "Brandt", "Castro", "Dubois", "Eriksen", "Fischer", "Garcia", "Haddad", "Ito", "Jansen", "Kaya", "Lopez" }
local cities = { "Athens", "Bergen", "Cairo", "Dublin", "Espoo", "Faro", "Ghent" }

function Orders:new()
    local app = session:create(Orders, { all = {} })
    for i = 1, 10000 do
        app.all[i] = Order:new({
            id = i, customer = names[i * 7 % #names + 1], city = cities[i * 5 % #cities + 1], amount = i * 7919 % 50000 / 100, paid = i % 3 == 0,
        })
    end
    return app
end

-- What is displayed: computed again only when something has changed that it depends on.
function Orders:found()
    local state = table.concat({ self.query, tostring(self.unpaid), self.key, tostring(self.down), self._changes }, "\n")
    if self._state == state then return self._found end
    local list, query, key = {}, self.query:lower(), self.key
    for _, order in ipairs(self.all) do
        if not (self.unpaid and order.paid) and (order.customer .. " " .. order.city):lower():find(query, 1, true) then table.insert(list, order) end
    end
    table.sort(list, function(a, b)
        if a[key] == b[key] then return a.id < b.id end
        if self.down then return a[key] > b[key] end
        return a[key] < b[key]
    end)
    self._state, self._found, self._due = state, list, 0
    for _, order in ipairs(list) do if not order.paid then self._due = self._due + order.amount end end
    return list
end

function Orders:summary()
    return ("%d of %d orders, %.2f due"):format(#self:found(), #self.all, self._due)
end

function Orders:by(key) self.down, self.key = self.key == key and not self.down, key end
function Orders:byID() self:by("id") end
function Orders:byCustomer() self:by("customer") end
function Orders:byCity() self:by("city") end
function Orders:byAmount() self:by("amount") end
function Orders:order(key) return self.key == key and (self.down and "descending" or "ascending") or nil end
function Orders:idOrder() return self:order("id") end
function Orders:customerOrder() return self:order("customer") end
function Orders:cityOrder() return self:order("city") end
function Orders:amountOrder() return self:order("amount") end
function Orders:remind() mcp.pushState({ app = "orders", event = "remind", query = self.query, orders = #self:found() }) end

function Order:price() return ("%.2f"):format(self.amount) end
function Order:name() return "Order " .. self.id .. " is paid" end
function Order:tick() self.paid, orders._changes = not self.paid, orders._changes + 1 end

if not session.reloading then orders = Orders:new() end
