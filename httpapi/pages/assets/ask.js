// Requests to this server, and what a person is told when one fails.

// Refusal is an answer that is no success, or none at all. code is the server's,
// or "offline"; message is for people; wait is in seconds, 0 if unknown.
export class Refusal extends Error {
  constructor(status, code, message, wait) {
    super(message);
    this.status = status;
    this.code = code;
    this.wait = wait;
  }
}

// Characters that turn the direction of what stands behind them: a name with one
// could show a price backwards. No name needs them.
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// ask returns the body of an answer, decoded; null if there is none (204). cache is as in
// fetch.
export async function ask(path, { method = "GET", body, signal, cache = "default" } = {}) {
  const init = { method, signal, cache, headers: { Accept: "application/json" }, credentials: "same-origin", referrerPolicy: "no-referrer" };
  if (body !== undefined) {
    init.headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response, text;
  try {
    response = await fetch(path, init);
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "offline", "The server can't be reached. Check the connection and try again.", 0);
  }
  let value = null;
  try {
    if (text !== "") value = JSON.parse(text.replace(turning, ""));
  } catch {
    throw new Refusal(response.status, "unreadable", "What answered is not the server: its answer can't be read. A network that asks for a sign-in may be between.", 0);
  }
  if (response.ok) return value;
  // Two forms: {"error": "sentence", "code": "..."} and {"error": {"code", "message"}}.
  const said = value !== null && typeof value === "object" ? value : {};
  const nested = typeof said.error === "object" && said.error !== null;
  const code = nested ? said.error.code : said.code;
  const message = nested ? said.error.message : said.error;
  throw new Refusal(response.status, code || "refused", message || `The server answered ${response.status}.`, Number(response.headers.get("Retry-After")) || 0);
}
