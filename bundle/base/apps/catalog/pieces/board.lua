-- A board: cards are added, edited in place, and moved by dragging, buttons, or Ctrl and an arrow.
local Board = session:prototype("Catalog.Board", { draft = "" })
local Column = session:prototype("Catalog.Board.Column", { title = "", board = EMPTY, at = 1 })
local Card = session:prototype("Catalog.Board.Card", { title = "", column = EMPTY, draft = "", editing = false, edits = 0 })

function Board:new()
    local board = session:create(Board, { columns = {} })
    for i, title in ipairs({ "To do", "Doing", "Done" }) do
        board.columns[i] = Column:new({ title = title, cards = {}, board = board, at = i })
    end
    for _, title in ipairs({ "Plan", "Write", "Check" }) do board:add(title) end
    return board
end

function Board:add(title)
    table.insert(self.columns[1].cards, Card:new({ title = title, column = self.columns[1] }))
end

function Board:addDraft()
    if self.draft:find("%S") then self:add(self.draft) end
    self.draft = ""
end

-- The cards of a column at a position, or at its end.
function Column:take(card, position)
    card:leave()
    table.insert(self.cards, math.max(1, math.min(position or math.huge, #self.cards + 1)), card)
    card.column, card._dragged = self, nil
end

-- What is dragged comes with the drop: two people may drag at once.
function Column:drop(card) self:take(card) end

function Card:position()
    for i, card in ipairs(self.column.cards) do if card == self then return i end end
end

function Card:leave() table.remove(self.column.cards, self:position()) end
-- mcp:keep leaves out what starts with _.
function Card:drag() self._dragged = true end
function Card:release() self._dragged = nil end
function Card:isDragged() return self._dragged end

-- Dropped on a card, the dragged one takes its place.
function Card:drop(card)
    if card ~= self then self.column:take(card, self:position()) end
end

function Card:edit() self.draft, self.editing = self.title, true end
function Card:keep() -- also when the field is left, which after Escape is too late
    if self.editing and self.draft:find("%S") then self.title = self.draft end
    self.editing = false
end
function Card:cancel() self.editing, self.edits = false, self.edits + 1 end
function Card:done() self:keep() self:cancel() end
-- For ui-focus: another number after each edit that a key has ended.
function Card:edited() return self.edits > 0 and self.edits end

-- The buttons stay as they are at both ends: a button that is disabled loses the focus.
function Card:up() self:move(self.column, self:position() - 1) end
function Card:down() self:move(self.column, self:position() + 1) end
function Card:left() self:move(self.column.board.columns[self.column.at - 1], self:position()) end
function Card:right() self:move(self.column.board.columns[self.column.at + 1], self:position()) end
function Card:move(column, position)
    if not column then return end
    column:take(self, position)
    local board = column.board
    board._moved, board._moves = self, (board._moves or 0) + 1
end

-- For ui-scroll: another number after each move.
function Card:moved() return self.column.board._moved == self and self.column.board._moves end

return Board
