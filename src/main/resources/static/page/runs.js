import { texts } from "./texts.js";
import { durationSeconds, formatDay, formatDuration, formatInstant, formatTime, HOUR, iso, now, zoneLabel } from "./time.js";
import { html, Own, useRead, useTicks } from "./ui.js";
import { colourOf, counted } from "./units.js";
import { address, zone } from "./url.js";

// What several views show of reservations.

/** How far ahead is read first, where there is too much to read all of it. */
const FIRST = 6 * HOUR;

export const ENDED = ["COMPLETED", "CANCELLED", "EXPIRED", "FAILED", "REJECTED"];

/** Reads the clusters. @param {import("./api.js").Api} api @returns {Map<string, any>} by id; empty until they are read */
export function useClusters(api) {
  const { data } = useRead(api, async (api) => new Map((await api.all("/clusters", {}, 500)).map((each) => [each.id, each])), []);
  return data ?? new Map();
}

/** What the operators of clusters have to say; many are folded. @param {{clusters: Iterable<any>}} its */
export function Bulletins({ clusters }) {
  const said = [...clusters].filter((each) => each.bulletin);
  const notes = said.map((each) => html`<p key=${each.id} class="note"><strong>${each.id}:</strong> <${Own}>${each.bulletin}<//></p>`);
  return notes.length > 3 ? html`<details class="panel"><summary>${notes.length} clusters have a bulletin</summary>${notes}</details>` : notes;
}

/**
 * Reads the newest reservations of some states.
 * @param {import("./api.js").Api} api
 * @param {Record<string, string | null>} query
 * @param {string[]} states
 * @param {number} most of each state
 * @returns {Promise<{all: any[], isMore: boolean}>}
 */
export async function newest(api, query, states, most) {
  const lists = await Promise.all(states.map((state) => api.all("/reservations", { ...query, state }, most + 1)));
  return { all: lists.flatMap((each) => each.slice(0, most)), isMore: lists.some((each) => each.length > most) };
}

/**
 * Reads the confirmed reservations that begin next. The service lists the newest ones first, so if there are too many, they are read by
 * the time of their start, as far ahead as they are not too many.
 * @param {import("./api.js").Api} api
 * @param {Record<string, string | null>} query
 * @param {number | null} end reads those that begin before it; null: all
 * @param {number} most
 * @returns {Promise<{all: any[], until: number | null, isCut: boolean}>} until: when the last one of these begins at the latest, if later
 *   ones are missing; isCut: even before that some are missing
 */
export async function next(api, query, end, most) {
  const read = (/** @type {number | null} */ to) => api.all("/reservations", { ...query, state: "CONFIRMED", to: to && iso(to) }, most + 1);
  const whole = await read(end);
  if (whole.length <= most) {
    return { all: byStart(whole), until: null, isCut: false };
  }
  const from = now();
  let until = from + FIRST;
  let found = await read(until);
  const isCut = found.length > most;
  for (let span = 2 * FIRST; !isCut; span *= 2) {
    const more = await read(from + span);
    if (more.length > most) {
      break;
    }
    [found, until] = [more, from + span];
  }
  return { all: byStart(found.slice(0, most)), until, isCut };
}

/** @param {any[]} all */
export function byStart(all) {
  return [...all].sort((a, b) => startOf(a) - startOf(b));
}

/** Returns the start; infinite for a request. @param {any} each */
export function startOf({ placement }) {
  return placement ? Date.parse(placement.start) : Infinity;
}

/** Returns the end; infinite for a request. @param {any} each */
export function endOf({ placement }) {
  return placement ? Date.parse(placement.end) : Infinity;
}

/** Returns the number of PEs, or the most of a request in several shapes. @param {any} each */
export function pesOf({ placement, terms }) {
  return placement?.pes ?? terms.pes ?? terms.maxPes ?? 0;
}

/** Returns the size in the unit of the cluster. @param {any} each @param {Map<string, any>} clusters */
export function sizeOf(each, clusters) {
  return pesOf(each) ? counted(pesOf(each), clusters.get(each.cluster)?.unit) : "";
}

/** Returns what a reservation or a series is called. @param {any} each */
export function nameOf(each) {
  return each.name || `without a name (${each.id.slice(-6)})`;
}

/** A link to a reservation or a series. @param {{each: any, view?: string}} its */
export function Link({ each, view = "reservation" }) {
  return html`<a href=${address(view, { id: each.id })}><${Own}>${nameOf(each)}<//></a>`;
}

/** @param {{state: string}} its */
export function State({ state }) {
  return html`<span class=${`state state-${state}`}>${texts.states[state]}</span>`;
}

/** A project with its colour. @param {{id: string | null, name?: string}} its name: also shows its name */
export function ProjectName({ id, name }) {
  return id && html`<span class="project"><i style=${{ background: `var(${colourOf(id)})` }}></i><${Own}>${name ?? id}<//>${name && html` <span class="muted">${id}</span>`}</span>`;
}

/** The time to the start or the end, and whether it may still move. @param {{each: any}} its */
export function Left({ each }) {
  useTicks();
  const until = (/** @type {string} */ when) => formatDuration(60 * Math.max(1, Math.ceil((Date.parse(when) - now()) / 60_000)));
  const { placement, state } = each;
  const words = [
    state === "HELD" && each.holdExpiresAt && `hold ends in ${until(each.holdExpiresAt)}`,
    state === "CONFIRMED" && placement && `in ${until(placement.start)}`,
    state === "RUNNING" && placement && `${until(placement.end)} left`,
    state === "WAITING" && each.rank && `number ${each.rank} in the queue`,
    state === "WAITING" && each.waitUntil && `until ${formatInstant(each.waitUntil, zone())}`,
    each.flags?.includes("degraded") && "lacks PEs",
    ["HELD", "CONFIRMED"].includes(state) && (each.scenario === "STRICT" ? "stays at this time" : each.movable ? "may still move" : "place is final"),
  ];
  return html`<span>${words.filter(Boolean).join(" · ")}</span>`;
}

/** Returns the end, with its day only if it is another one than that of the start. @param {any} each */
export function endText({ placement }) {
  return formatDay(placement.start, zone()) === formatDay(placement.end, zone())
    ? `${formatTime(placement.end, zone())} ${zoneLabel(zone(), placement.end)}`
    : formatInstant(placement.end, zone());
}

/**
 * Returns the address of Book with the terms of a run, as far as Book has fields for them. A window that is over begins now.
 * @param {{terms: any, cluster?: string | null, name?: string | null, project?: string | null}} run
 */
export function bookAddress({ terms, cluster = null, name = null, project = null }) {
  const run = terms.duration && durationSeconds(terms.duration);
  const words = run && formatDuration(run);
  const [ready, deadline] = [Date.parse(terms.readyTime ?? ""), Date.parse(terms.deadline ?? "")];
  const isAhead = ready > now();
  // without a ready time, the window began when the run was asked for
  const isFree = !(deadline - ready <= 1000 * run);
  const end = deadline > now() + 1000 * run ? deadline : now() + deadline - ready;
  const { mobility, budget } = terms;
  const parts = terms.preemption?.maxParts;
  return address("book", {
    pes: String(terms.pes ?? terms.maxPes ?? 1),
    min: terms.minPes ? String(terms.minPes) : null,
    duration: run && (durationSeconds(words) === run ? words : terms.duration),
    from: isAhead ? String(ready) : null,
    to: isFree && end > 0 ? String(end) : null,
    budget: budget?.amount ?? null,
    moves: mobility?.maxMoves ? String(mobility.maxMoves) : null,
    shift: mobility?.maxShift ?? null,
    notice: mobility?.notice ?? null,
    follow: mobility?.follow ? "yes" : null,
    parts: parts ? String(parts) : null,
    cluster,
    name,
    project,
  });
}
