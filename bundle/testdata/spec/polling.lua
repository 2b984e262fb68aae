-- Check if a client is connected to the /wait endpoint
if mcp:pollingEvents() then
    print("Agent is listening for events")
end
