-- The catalogue: pieces to build apps from, each with the Lua and HTML that makes it. A piece is
-- pieces/NAME.lua and the view definitions of its types; copy them, and give the types other names.
--
-- resources/catalog.md, for agents, is made from the same files.

Catalog = session:prototype("Catalog", { query = "" })
local Piece = session:prototype("Catalog.Piece", {
    name = "",
    about = "",
    piece = EMPTY,  -- the live object
    source = "",    -- read when the person wants to see it
})

-- The names of the pieces, and of the types of their rows.
local names = {
    { "form" }, { "field" }, { "date" }, { "file" }, { "choice", "Option" }, { "chips", "Chip" }, { "settings" }, { "wizard" },
    { "table", "Trip" }, { "filter", "City" }, { "board", "Column", "Card" }, { "tree", "Branch" }, { "empty" },
    { "tabs" }, { "dialog" }, { "toast" }, { "progress" }, { "badge" }, { "icons" },
    { "log", "Line" }, { "chat", "Line" }, { "terminal" },
    { "chart", "Bar" }, { "picture" }, { "markdown" }, { "code" },
}

local function read(path)
    local file, problem = io.open(mcp:status().base_dir .. "/apps/catalog/" .. path)
    if not file then return problem end
    local text = file:read("*a")
    file:close()
    return text
end

------------------------------------------------------------------------ Piece

function Piece:title() return self.name:sub(1, 1):upper() .. self.name:sub(2) end

-- The files of a piece: its Lua, then its view definitions.
function Piece:files()
    local list = { "pieces/" .. self.name .. ".lua", "viewdefs/" .. self.piece.type .. ".DEFAULT.html" }
    for _, row in ipairs(self._rows) do
        table.insert(list, "viewdefs/" .. self.piece.type .. "." .. row .. ".list-item.html")
    end
    return list
end

function Piece:show()
    local parts = {}
    for i, path in ipairs(self:files()) do parts[i] = read(path) end
    self.source = table.concat(parts, "\n")
end

---------------------------------------------------------------------- Catalog

function Catalog:new()
    local catalog = session:create(Catalog, { pieces = {} })
    for i, entry in ipairs(names) do
        local Type = require("apps.catalog.pieces." .. entry[1])
        catalog.pieces[i] = Piece:new({
            name = entry[1], _rows = { unpack(entry, 2) }, piece = Type:new(),
            about = read("pieces/" .. entry[1] .. ".lua"):match("^%-%- (.-)\n[^%-]"):gsub("\n%-%- ", " "),
        })
    end
    return catalog
end

function Catalog:found()
    local list = {}
    for _, piece in ipairs(self.pieces) do
        if (piece.name .. " " .. piece.about):lower():find(self.query:lower(), 1, true) then table.insert(list, piece) end
    end
    return list
end

function Catalog:foundSome() return #self:found() > 0 end

if not session.reloading then
    catalog = Catalog:new()
end
