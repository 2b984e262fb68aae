// Lists the sessions, and follows them by asking again. The token stays in this tab.

const every = 2000; // milliseconds between two requests
const key = "wsh-token";
const byId = (id) => document.getElementById(id);

function element(kind, name, text) {
  const e = document.createElement(kind);
  e.className = name;
  e.textContent = text;
  return e;
}

// since says how long ago something was.
function since(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return "active now";
  if (seconds < 120) return `quiet for ${seconds} s`;
  if (seconds < 7200) return `quiet for ${Math.floor(seconds / 60)} min`;
  return `quiet for ${Math.floor(seconds / 3600)} h`;
}

function state(session) {
  if (session.running) return "running";
  const { code, signal } = session.exit ?? {};
  return signal ? `ended by ${signal}` : `exited with ${code}`;
}

function item(session) {
  const li = element("li", session.running ? "running" : "ended", "");
  const first = element("div", "first", "");
  first.append(element("span", "name", session.name));
  for (const tag of session.tags) first.append(element("span", "tag", tag));
  first.append(element("span", "state", state(session)));
  const more = [`${session.cols}×${session.rows}`, since(session.last_activity_ms)];
  if (session.clients > 0) more.push(`${session.clients} attached`);
  if (session.title) more.unshift(session.title);
  li.append(first, element("span", "command", session.command), element("span", "more", more.join(" · ")));
  return li;
}

let shown = "";

function show(sessions) {
  const list = JSON.stringify(sessions.map((s) => ({ ...s, last_activity_ms: since(s.last_activity_ms) })));
  if (list !== shown) {
    shown = list; // so that a selection stays while nothing changes
    byId("sessions").replaceChildren(...sessions.map(item));
  }
  byId("none").hidden = sessions.length > 0;
  byId("login").hidden = true;
  const running = sessions.filter((s) => s.running).length;
  byId("status").textContent = `${running} running, ${sessions.length - running} ended`;
}

async function refresh() {
  const token = sessionStorage.getItem(key);
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  try {
    const answer = await fetch("../sessions", { headers, cache: "no-store" });
    if (answer.ok) {
      show(await answer.json());
    } else if (answer.status === 401 || (answer.status === 403 && token)) {
      sessionStorage.removeItem(key);
      byId("login").hidden = false;
      byId("status").textContent = token ? "The token was wrong." : "";
      return; // until there is a token
    } else {
      const { error } = await answer.json();
      byId("status").textContent = error.message;
    }
  } catch {
    byId("status").textContent = "The server does not answer.";
  }
  setTimeout(refresh, every);
}

byId("login").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(key, byId("token").value);
  byId("token").value = "";
  refresh();
});

refresh();
