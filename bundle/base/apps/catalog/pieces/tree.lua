-- A tree: a branch displays its branches with the same view definition.
local Tree = session:prototype("Catalog.Tree", {})
local Branch = session:prototype("Catalog.Tree.Branch", { name = "", open = true })

local function branch(name, ...) return Branch:new({ name = name, branches = { ... } }) end

function Tree:new()
    return session:create(Tree, { branches = {
        branch("Fruit", branch("Apples"), branch("Stone fruit", branch("Plums"))), branch("Vegetables"),
    } })
end

function Branch:toggle() self.open = not self.open end
function Branch:isLeaf() return #self.branches == 0 end
function Branch:isClosed() return not self.open or self:isLeaf() end
function Branch:isBranch() return not self:isLeaf() end
function Branch:sign() return self.open and "▾" or "▸" end
function Branch:expanded() return tostring(self.open) end

return Tree
