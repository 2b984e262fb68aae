local status = mcp:status()
if status.state == "running" then
    print("Server running at " .. status.url)
    print("Connected browsers: " .. status.sessions)
end
