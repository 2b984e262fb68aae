-- Markdown that a person writes: HTML in it is escaped.
local Markdown = session:prototype("Catalog.Markdown", { text = "**Bold**, *italic*, `code`\n\n- one\n- two" })

function Markdown:html() return mcp:renderMarkdown(self.text) end

return Markdown
