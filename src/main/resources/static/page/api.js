import { learn } from "./time.js";

const BASE = "/api/v1";

/** Set in the local storage while the person of this browser signs in at the issuer, which then need not be chosen again. */
export const CHOSEN = "berth.issuer";

/** The calls that index.html has begun, by their paths. Each counts once; null: it failed. @type {Map<string, Promise<Response | null>>} */
export const begun = /** @type {any} */ (globalThis).begun ?? new Map();

/**
 * @typedef {{ready: () => Promise<number>, turn: () => number, adopt: (token: string) => Promise<void>, end: (why: string) => void, key?: string}} Session
 *   ready: waits for a token that is being adopted, and returns the turn; turn: how many tokens were adopted; adopt: continues with
 *   another token; key: a token that is sent in place of the session's cookie
 * @typedef {{status: number, body: any, etag: string | null}} Answer
 * @typedef {{isOnce?: boolean, ifMatch?: string | null, signal?: AbortSignal, accept?: string, token?: string}} How
 *   isOnce: a repetition of a call that had no response does not act twice; token: makes the call with it instead of the session
 * @typedef {ReturnType<typeof api>} Api
 */

/**
 * Returns the headers that show whose call it is. Without `Berth-Page`, which pages of other sites cannot send, the service does not
 * accept the session's cookie.
 * @param {Session} session
 * @param {string} [token] is sent in place of the cookie
 * @returns {Record<string, string>}
 */
export function credentials(session, token = session.key) {
  return session.key ? { Authorization: `Bearer ${token}` } : { "Berth-Page": "true", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

/** A rejected or failed call. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {any} document the problem document, or null without a response
   */
  constructor(status, document) {
    const errors = document?.errors ?? [];
    const named = errors.map((/** @type {any} */ each) => `${each.field} ${each.message}`).join("; ");
    super([document?.title ?? "The service does not respond.", named || document?.detail].filter(Boolean).join(": "));
    this.status = status;
    this.document = document;
    this.code = document?.code ?? "unreachable";
    this.detail = document?.detail ?? "";
    /** @type {{field: string, message: string}[]} */
    this.errors = errors;
  }
}

/** The idempotency keys of calls that have had no response yet, by their texts. @type {Map<string, {key: string, resource: string, at: number}>} */
const unanswered = new Map();
/** How long the same call counts as a repetition, in milliseconds. */
const REPEATED = 120_000;

/** Returns 32 random hexadecimal digits. */
export function random() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns the calls of the service for one session.
 * @param {Session} session
 * @param {AbortSignal} [end] ends all of them
 */
export function api(session, end) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {How} how
   * @returns {Promise<Answer>}
   */
  async function call(method, path, body, how = {}) {
    /** @type {Record<string, string>} */
    const headers = { Accept: how.accept ?? "application/json, text/csv", ...credentials(session, how.token) };
    const turn = how.token ? null : await session.ready();
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
    }
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const text = `${method} ${path} ${sent}`;
    const resource = path.split("/", 3).join("/");
    if (how.isOnce) {
      const last = unanswered.get(text);
      const key = headers["Idempotency-Key"] = last && performance.now() - last.at < REPEATED ? last.key : random();
      unanswered.set(text, { key, resource, at: performance.now() });
    }
    if (how.ifMatch) {
      headers["If-Match"] = how.ifMatch;
    }
    const early = method === "GET" && !session.key ? begun.get(path) : null;
    begun.delete(path);
    const signal = how.signal ?? end;
    let response;
    try {
      response = await early ?? await fetch(BASE + path, { method, headers, body: sent, signal });
    } catch (failure) {
      if (signal?.aborted) {
        throw failure;
      }
      throw new Problem(0, null);
    }
    learn(response.headers.get("Date"), response.headers.get("Berth-Speed"));
    const said = await response.text();
    const answer = said.startsWith("{") ? JSON.parse(said) : null;
    // these say nothing about an earlier try, which may have been made
    if (response.status < 500 && ![401, 429].includes(response.status)) {
      unanswered.delete(text);
    }
    if (response.ok && how.isOnce) {
      // after another change, the same call is no repetition
      unanswered.forEach((each, other) => each.resource === resource && unanswered.delete(other));
    }
    if (response.ok) {
      return { status: response.status, body: answer ?? said, etag: response.headers.get("ETag") };
    }
    // the session may have another token by now
    if (response.status === 401 && turn === session.turn()) {
      session.end("expired");
    }
    throw new Problem(response.status, answer);
  }
  return {
    /** Returns the same calls, all of which end with a signal. @param {AbortSignal} signal */
    until: (signal) => /** @type {any} */ (api(session, signal)),
    /**
     * @param {string} path
     * @param {Record<string, string | number | null | undefined>} [query]
     */
    get: (path, query = {}) => call("GET", path + asked(query), undefined),
    /**
     * Returns what a call has as comma-separated values.
     * @param {string} path
     * @param {Record<string, string | number | null | undefined>} query
     * @returns {Promise<string>}
     */
    csv: async (path, query) => (await call("GET", path + asked(query), undefined, { accept: "text/csv, application/problem+json" })).body,
    /** @param {string} path @param {unknown} [body] @param {How} [how] */
    post: (path, body, how) => call("POST", path, body, how),
    /** @param {string} path @param {unknown} body @param {How} [how] */
    patch: (path, body, how) => call("PATCH", path, body, how),
    /** @param {string} path @param {unknown} body */
    put: (path, body) => call("PUT", path, body),
    /** @param {string} path @param {How} [how] */
    del: (path, how) => call("DELETE", path, undefined, how),
    /**
     * Returns up to `most` items of a list, page by page.
     * @param {string} path
     * @param {Record<string, string | number | null | undefined>} query
     * @param {number} most
     */
    async all(path, query, most) {
      const items = [];
      let body = { items: /** @type {any[]} */ ([]), next: /** @type {string | null} */ (null) };
      do {
        ({ body } = await call("GET", path + asked({ ...query, after: body.next, limit: Math.min(500, most) }), undefined));
        items.push(...body.items);
        // lists of events always have a next page, which is empty after the last event
      } while (body.next && body.items.length > 0 && items.length < most);
      return items.slice(0, most);
    },
  };
}

/** @param {Record<string, string | number | null | undefined>} query */
function asked(query) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : "";
}
