-- Push an event to the queue (signals waiting agent)
mcp.pushState({ app = "contacts", event = "chat", text = "hello" })

-- Push multiple events
mcp.pushState({ app = "contacts", event = "button", id = "save" })
mcp.pushState({ app = "contacts", event = "button", id = "cancel" })
