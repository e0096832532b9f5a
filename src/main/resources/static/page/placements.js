import { iso, isoDuration } from "./time.js";

const SOON = 50;
const MINUTE = 60_000;
/** The number of steps to read if there are too many placements. */
const SHARES = 240;
const SHARES_AGAIN = 3000;

/**
 * @typedef {import("./layout.js").Bar} Bar
 * @typedef {{from: number, to: number}} Range
 */

/** @param {any} placement @returns {Bar} */
export function barOf({ kind, id, owner, project, users, state, start, end, pes, peIds, nodes }) {
  return { kind, id, owner, project, users, state, start: Date.parse(start), end: end ? Date.parse(end) : Infinity, pes, peIds, nodes };
}

/**
 * Reads what takes a cluster's PEs, as far as it is visible, and again only what has changed.
 * @param {import("./api.js").Api} api
 * @param {{id: string, pes: number}} cluster
 * @param {{onBars: (bars: Bar[], areShares: boolean) => void, onProblem: (problem: unknown) => void}} listener
 *   areShares: there are too many placements, and the bars are the PEs in use over time
 */
export function placements(api, cluster, { onBars, onProblem }) {
  /** @type {Map<string, Bar[]>} */
  let known = new Map();
  /** @type {Range} */
  let range = { from: 0, to: 0 };
  /** @type {Range | null} */
  let loaded = null;
  let tag = "";
  let isLoading = false;
  let isAskedAgain = false;
  const over = new AbortController();
  const calls = api.until(over.signal);
  /** The shortest time, in milliseconds, that had too many placements. */
  let tooLong = Infinity;
  let areShares = false;

  async function load() {
    if (isLoading) {
      isAskedAgain = true;
      return;
    }
    isLoading = true;
    try {
      await read();
    } catch (problem) {
      if (!over.signal.aborted) {
        onProblem(problem);
      }
    } finally {
      isLoading = false;
      if (isAskedAgain && !over.signal.aborted) {
        isAskedAgain = false;
        setTimeout(load, areShares ? SHARES_AGAIN : SOON);
      }
    }
  }

  /** Reads more than is visible. If the service rejects that, it reads the visible part, or else the utilisation. */
  async function read() {
    const length = range.to - range.from;
    const isThere = loaded !== null && loaded.from <= range.from && range.to <= loaded.to;
    const wide = isThere && loaded ? loaded : { from: range.from - length, to: range.to + length };
    for (const next of length < tooLong || isThere ? [wide, { ...range }] : [{ ...range }]) {
      try {
        await readPlacements(next, isThere && next === loaded ? tag : null);
        return;
      } catch (problem) {
        if (!/** @type {any} */ (problem).errors?.some((/** @type {any} */ each) => each.field === "to")) {
          throw problem;
        }
        tooLong = Math.min(tooLong, length);
      }
    }
    await readShares({ ...range });
  }

  /** @param {Range} next @param {string | null} since */
  async function readPlacements(next, since) {
    const { body, etag } = await calls.get(`/clusters/${cluster.id}/schedule`, { from: iso(next.from), to: iso(next.to), since });
    if (body.since === null) {
      known = new Map();
    }
    /** @type {Map<string, Bar[]>} */
    const told = new Map();
    body.placements.forEach((/** @type {any} */ placement, /** @type {number} */ i) => {
      const id = placement.id ?? `unnamed ${i}`;
      told.set(id, [...(told.get(id) ?? []), barOf(placement)]);
    });
    told.forEach((each, id) => known.set(id, each));
    body.gone.forEach((/** @type {string} */ id) => known.delete(id));
    [loaded, tag, areShares] = [next, (etag ?? "").replace(/^W\/|"/g, ""), false];
    show([...known.values()].flat());
  }

  /** @param {Range} next */
  async function readShares(next) {
    const step = Math.max(MINUTE, Math.ceil((next.to - next.from) / SHARES / MINUTE) * MINUTE);
    const { body } = await calls.get(`/clusters/${cluster.id}/utilisation`, { from: iso(next.from), to: iso(next.to), step: isoDuration(step / 1000) });
    known = new Map();
    [loaded, tag, areShares] = [null, "", true];
    show(body.points.map((/** @type {any} */ point) => barOf({
      kind: "SHARE", id: null, owner: null, project: null, state: null, peIds: null, start: point.start,
      end: iso(Date.parse(point.start) + step), pes: Math.round(point.utilisation * cluster.pes),
    })).filter((/** @type {Bar} */ each) => each.pes > 0));
  }

  /** @param {Bar[]} bars */
  function show(bars) {
    if (!over.signal.aborted) {
      onBars(bars, areShares);
    }
  }

  return {
    load,
    /** Sets the visible time, and reads it unless it has been read. @param {Range} next */
    see(next) {
      range = next;
      if (!loaded || range.from < loaded.from || range.to > loaded.to) {
        load();
      }
    },
    /** Returns a bar of a reservation. @param {string} id */
    find: (id) => known.get(id)?.[0],
    end() {
      over.abort();
    },
  };
}
