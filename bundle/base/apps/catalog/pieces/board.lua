-- A board: cards are dragged between and within columns, or moved with Ctrl and an arrow.
local Board = session:prototype("Catalog.Board", { dragged = EMPTY })
local Column = session:prototype("Catalog.Board.Column", { title = "" })
local Card = session:prototype("Catalog.Board.Card", { title = "" })

function Board:new()
    local board = session:create(Board, { columns = {} })
    for i, title in ipairs({ "To do", "Doing", "Done" }) do
        board.columns[i] = Column:new({ title = title, cards = {}, _board = board, _at = i })
    end
    for i, title in ipairs({ "Plan", "Write", "Check" }) do
        table.insert(board.columns[1].cards, Card:new({ title = title, _column = board.columns[1] }))
    end
    return board
end

-- The cards of a column at a position, or at its end.
function Column:take(card, position)
    card:leave()
    table.insert(self.cards, math.max(1, math.min(position or math.huge, #self.cards + 1)), card)
    card._column, self._board.dragged = self, nil
end

function Column:drop() if self._board.dragged then self:take(self._board.dragged) end end

function Card:position()
    for i, card in ipairs(self._column.cards) do if card == self then return i end end
end

function Card:leave() table.remove(self._column.cards, self:position()) end
function Card:drag() self._column._board.dragged = self end
function Card:release() self._column._board.dragged = nil end
function Card:isDragged() return self._column._board.dragged == self end

-- Dropped on a card, the dragged one takes its place.
function Card:drop()
    local dragged = self._column._board.dragged
    if dragged == self then self:release() end
    if dragged and dragged ~= self then self._column:take(dragged, self:position()) end
end

function Card:up() self._column:take(self, self:position() - 1) end
function Card:down() self._column:take(self, self:position() + 1) end
function Card:left() self:go(-1) end
function Card:right() self:go(1) end
function Card:go(by)
    local column = self._column._board.columns[self._column._at + by]
    if column then column:take(self) end
end

return Board
