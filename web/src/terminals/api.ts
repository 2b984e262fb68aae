// The requests of the page. Any client may send them: see docs/api.md.

import { sentenceOf } from "../terminal/data/sentences";
import type { Credentials } from "./credentials";

/** A Refusal is an error in the answer of the server. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
  }

  /** Whether another token, or one at all, is needed. */
  get needsToken(): boolean {
    return this.code === "auth_required" || this.code === "auth_invalid";
  }
}

/** unreachable returns the error of a request that no server has answered. */
const unreachable = (): Error => new Error("The server does not answer.");

/** The address of the server, which ends in a slash. */
export const BASE = document.baseURI;

/** Milliseconds after which a request counts as unanswered. */
const PATIENCE = 20_000;

/** Api makes requests with the person's token. */
export class Api {
  readonly #credentials: Credentials;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /**
   * request returns the server's answer as JSON. It fails with a [[Refusal]] if the server has answered. With
   * a signal, the answer may take any time until that.
   */
  async request(method: string, path: string, body?: unknown, signal = AbortSignal.timeout(PATIENCE)): Promise<unknown> {
    const response = await this.#fetch(method, path, signal, body);
    const answer = await read(response);
    if (response.ok) return answer;
    throw refusal(response, answer);
  }

  /** download returns a file. It fails as request does. */
  async download(path: string, signal: AbortSignal): Promise<Blob> {
    const response = await this.#fetch("GET", path, signal);
    if (!response.ok) throw refusal(response, await read(response));
    try {
      return await response.blob();
    } catch {
      throw unreachable();
    }
  }

  async #fetch(method: string, path: string, signal: AbortSignal, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = {};
    const token = this.#credentials.token();
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    try {
      return await fetch(new URL(path, BASE), {
        method, headers, signal, cache: "no-store", credentials: "omit", ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw unreachable();
    }
  }

  /** ticket returns a ticket for one WebSocket, or undefined if none is needed. */
  async ticket(): Promise<string | undefined> {
    if (this.#credentials.token() === undefined) return undefined;
    const answer = (await this.request("POST", "auth/ws-ticket")) as { ticket?: unknown } | undefined;
    return typeof answer?.ticket === "string" ? answer.ticket : undefined;
  }

  /** socket returns the address of a WebSocket, with a ticket if one is needed. */
  async socket(path: string): Promise<string> {
    const url = new URL(path, BASE);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const ticket = await this.ticket();
    if (ticket !== undefined) url.searchParams.set("ticket", ticket);
    return url.href;
  }
}

/** read returns the JSON of an answer, or undefined if it has no JSON. */
async function read(response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch {
    throw unreachable();
  }
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** refusal returns the error of an answer that is not a success. */
function refusal(response: Response, answer: unknown): Error {
  const error = (answer as { error?: { code?: unknown; message?: unknown } } | undefined)?.error;
  const [code, message] = [error?.code, error?.message];
  if (typeof code !== "string") return unreachable(); // a proxy answers for a server that is away
  return new Refusal(response.status, code, typeof message === "string" ? message : code);
}

/** sessionPath returns the path of a session's requests. */
export function sessionPath(name: string, more = ""): string {
  return `sessions/${encodeURIComponent(name)}${more}`;
}

/** complain returns a sentence about an error, for the person. */
export function complain(error: unknown): string {
  return sentenceOf((error instanceof Error ? error.message : String(error)) || "it failed");
}
