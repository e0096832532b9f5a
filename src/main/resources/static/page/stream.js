import { credentials } from "./api.js";

const LONGEST_REST = 30_000;

/**
 * Combines calls within a pause into one read.
 * @param {() => unknown} read
 * @param {number} pause in milliseconds
 */
export function together(read, pause) {
  let timer = 0;
  return {
    soon() {
      timer ||= setTimeout(() => {
        timer = 0;
        read();
      }, pause);
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * Follows a stream of events, and resumes it when it breaks off. The browser's EventSource cannot send headers.
 * @param {import("./api.js").Session} session
 * @param {string} path below /api/v1
 * @param {{onEvent: (event: any, id: string) => void, onState?: (isConnected: boolean) => void}} listener
 * @param {string | null} [after] the cursor to start after; null: now
 * @returns {() => void} ends it
 */
export function follow(session, path, listener, after = null) {
  const end = new AbortController();
  let last = after;
  let rest = 1000;
  let isOver = false;

  async function listen() {
    const turn = await session.ready();
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream", ...credentials(session) };
    if (last) {
      headers["Last-Event-ID"] = last;
    }
    const response = await fetch(`/api/v1${path}`, { headers, signal: end.signal });
    if (turn === session.turn()) {
      if (response.status === 401) {
        session.end("expired");
      }
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        // a repeated call would be rejected again
        end.abort();
      }
    }
    if (!response.ok || !response.body) {
      throw new Error(`The stream was refused with ${response.status}.`);
    }
    listener.onState?.(true);
    rest = 1000;
    let text = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      blocks.forEach(hear);
    }
  }

  /** @param {string} block */
  function hear(block) {
    const lines = block.split("\n");
    const told = (/** @type {string} */ name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    last = told("id") ?? last;
    const data = told("data");
    if (data) {
      listener.onEvent(JSON.parse(data), last ?? "");
    }
  }

  async function work() {
    while (!end.signal.aborted) {
      try {
        await listen();
      } catch {
        rest = Math.min(2 * rest, LONGEST_REST);
      }
      if (isOver) {
        return;
      }
      listener.onState?.(false);
      if (!end.signal.aborted) {
        await new Promise((resume) => setTimeout(resume, rest));
      }
    }
  }
  work();
  return () => {
    isOver = true;
    end.abort();
  };
}
