-- A board: cards are dragged between and within columns, or moved with Ctrl and an arrow.
local Board = session:prototype("Catalog.Board", {})
local Column = session:prototype("Catalog.Board.Column", { title = "", board = EMPTY, at = 1 })
local Card = session:prototype("Catalog.Board.Card", { title = "", column = EMPTY })

function Board:new()
    local board = session:create(Board, { columns = {} })
    for i, title in ipairs({ "To do", "Doing", "Done" }) do
        board.columns[i] = Column:new({ title = title, cards = {}, board = board, at = i })
    end
    for i, title in ipairs({ "Plan", "Write", "Check" }) do
        table.insert(board.columns[1].cards, Card:new({ title = title, column = board.columns[1] }))
    end
    return board
end

-- The cards of a column at a position, or at its end.
function Column:take(card, position)
    card:leave()
    table.insert(self.cards, math.max(1, math.min(position or math.huge, #self.cards + 1)), card)
    card.column, self.board._dragged = self, nil
end

function Column:drop() if self.board._dragged then self:take(self.board._dragged) end end

function Card:position()
    for i, card in ipairs(self.column.cards) do if card == self then return i end end
end

function Card:leave() table.remove(self.column.cards, self:position()) end
-- mcp:keep leaves out what starts with _.
function Card:drag() self.column.board._dragged = self end
function Card:release() self.column.board._dragged = nil end
function Card:isDragged() return self.column.board._dragged == self end

-- Dropped on a card, the dragged one takes its place.
function Card:drop()
    local dragged = self.column.board._dragged
    if dragged == self then self:release() end
    if dragged and dragged ~= self then self.column:take(dragged, self:position()) end
end

function Card:up() self.column:take(self, self:position() - 1) end
function Card:down() self.column:take(self, self:position() + 1) end
function Card:left() self:go(-1) end
function Card:right() self:go(1) end
function Card:go(by)
    local column = self.column.board.columns[self.column.at + by]
    if column then column:take(self) end
end

return Board
