import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { random } from "./api.js";
import { layOut } from "./layout.js";
import { DAY, formatDay, formatTime, HOUR, iso, now, startOfDay } from "./time.js";
import { Dialog, Empty, Failed, html, Icon, Own, Secret, Skeleton, useChange, useEvents, useRead } from "./ui.js";
import { colourOf, counted } from "./units.js";
import { address, params, zone } from "./url.js";

const EVERY = 30_000;
/** So long a page of clusters is shown, if there are several. */
const PAGE = 20_000;
/** A strip and the head need so much of a screen's height. */
const [STRIP, HEAD] = [230, 110];
/** Free PEs count if they stay free so long. */
const LEAST = HOUR;
const TICK = 3 * HOUR;
const MOST_DOTS = 12;

/** The next day of all clusters, for a screen that people read from afar. @param {{context: import("./main.js").Context}} its */
export function View({ context: { api, session, account } }) {
  const beat = useSignal(0);
  const page = useSignal(0);
  const height = useSignal(innerHeight);
  const read = useRead(api, async (api) => (await api.all("/clusters", {}, 500)).filter((each) => each.pes && !each.peer), [], Math.floor(beat.value / 10));
  useEvents(session, "/events/stream", () => { beat.value++; }, 1000);
  useEffect(() => {
    const timers = [setInterval(() => beat.value++, EVERY), setInterval(() => page.value++, PAGE)];
    const resize = () => { height.value = innerHeight; };
    addEventListener("resize", resize);
    return () => {
      timers.forEach(clearInterval);
      removeEventListener("resize", resize);
    };
  }, []);
  const chosen = params().getAll("cluster");
  const all = (read.data ?? []).filter((each) => chosen.length === 0 || chosen.includes(each.id)).sort((one, other) => one.id.localeCompare(other.id));
  const fits = innerWidth <= 700 ? all.length : Math.max(1, Math.floor((height.value - HEAD) / STRIP));
  const pages = Math.max(1, Math.ceil(all.length / fits));
  const shown = page.value % pages;
  return html`
    <div class="wall">
      <h1 class="unseen">Wall</h1>
      <div class="wall-head">
        <${Clock} />
        ${pages > 1 && html`<p class="dots" role="img" aria-label=${`Page ${shown + 1} of ${pages}`}>${pages > MOST_DOTS ? `${shown + 1} / ${pages}`
          : [...Array(pages).keys()].map((each) => html`<i key=${each} class=${each === shown ? "here" : null}></i>`)}</p>`}
        ${account.role !== "SCREEN" && html`<${Tools} api=${api} isAdmin=${account.role === "ADMIN"} />`}
      </div>
      ${read.problem && html`<${Failed} why="The service does not answer. This page keeps trying." />`}
      ${!read.data ? !read.problem && html`<${Skeleton} />` : all.length === 0 ? html`<${Empty} text=${chosen.length ? `There is no cluster ${chosen.join(" or ")}.` : "There are no clusters yet."} />`
        : all.slice(shown * fits, (shown + 1) * fits).map((each) => html`<${Strip} key=${each.id} api=${api} cluster=${each} beat=${beat.value} />`)}
    </div>`;
}

/** The time, and the day. */
function Clock() {
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => tick.value++, 1000);
    return () => clearInterval(timer);
  }, []);
  return html`<p class="clock" data-second=${tick.value % 60}><strong>${formatTime(now(), zone())}</strong> ${formatDay(now(), zone())}</p>`;
}

/** What a person at the wall can do. @param {{api: import("./api.js").Api, isAdmin: boolean}} its */
function Tools({ api, isAdmin }) {
  const link = useSignal("");
  const name = useSignal("");
  const making = useChange();
  const make = () => making.run(async () => {
    name.value = `screen-${random().slice(0, 8)}`;
    const { body } = await api.post("/accounts", { name: name.value, role: "SCREEN" });
    link.value = new URL(address("wall", { key: body.token, cluster: params().getAll("cluster") }), location.href).href;
  });
  return html`
    <div class="row tools">
      ${isAdmin && html`<button type="button" disabled=${making.isBusy} onclick=${make}><${Icon} name="link" />Link for a screen</button>`}
      <button type="button" onclick=${() => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()}><${Icon} name="monitor" />Full screen</button>
      <a class="button" href=${address("")}><${Icon} name="x" />Leave</a>
    </div>
    <${Failed} why=${making.problem} />
    ${link.value && html`
      <${Dialog} label="Link for a screen" close=${() => { link.value = ""; }}>
        <${Secret} label="Link for a screen" value=${link.value} close=${() => { link.value = ""; }}
          hint=${`Open this link on the screen. It appears only here. Everybody who has it can see the wall, and nothing else. To end it, delete the account ${name.value} in Admin.`} />
      <//>`}`;
}

/** The next day of a cluster. @param {{api: import("./api.js").Api, cluster: any, beat: number}} its */
function Strip({ api, cluster: { id, pes, unit, granule = 1 }, beat }) {
  const read = useRead(api, async (api) => {
    const from = now();
    const { body } = await api.get(`/clusters/${id}/schedule`, { from: iso(from - 1000), to: iso(from + DAY) });
    return { from, bars: body.placements.map((/** @type {any} */ each) => barOf(each, from + DAY)) };
  }, [id], beat);
  const says = useMemo(() => read.data && saysOf(read.data, pes, granule), [read.data, pes, granule]);
  if (!read.data || !says) {
    return html`<section class="strip"><h2>${id}</h2>${read.problem ? html`<p class="problem">The service does not answer. This page keeps trying.</p>` : html`<${Skeleton} />`}</section>`;
  }
  const { from, bars } = read.data;
  const { free, wanted, at, until } = says;
  return html`
    <section class="strip">
      <div class="says">
        <h2>${id}</h2>
        <p><span class="big">${free}</span> ${counted(free, unit).replace(/^[\d,]+ /, "")} free now</p>
        <p>${until ? (until === Infinity ? "all day" : `all until ${formatTime(until, zone())}`)
          : at ? html`next <strong>${counted(wanted, unit)}</strong> at <strong>${formatTime(at, zone())}</strong>` : "no more for a day"}</p>
        ${read.problem && html`<p class="problem">No news since ${formatTime(from, zone())}.</p>`}
      </div>
      <${Day} bars=${bars} pes=${pes} from=${from} unit=${unit} />
    </section>`;
}

/** @param {any} placement @param {number} until */
function barOf(placement, until) {
  return { ...placement, start: Date.parse(placement.start), end: placement.end ? Date.parse(placement.end) : until, peIds: null };
}

/**
 * Returns how many PEs are free now, and when more are: the next power of two of nodes, or all.
 * @param {{from: number, bars: import("./layout.js").Bar[]}} day
 * @param {number} pes
 * @param {number} granule
 * @returns {{free: number, wanted: number, at?: number, until?: number}} at: when that many become free; missing if not in a day;
 *   until: how long all are free, if they are now
 */
function saysOf({ from, bars }, pes, granule) {
  /** @type {Map<number, number>} */
  const changes = new Map([[from, 0]]);
  for (const { start, end, pes: size } of bars) {
    const begin = Math.max(start, from);
    changes.set(begin, (changes.get(begin) ?? 0) + size);
    changes.set(end, (changes.get(end) ?? 0) - size);
  }
  let taken = 0;
  const steps = [...changes].sort(([one], [other]) => one - other).map(([at, change]) => ({ at, free: Math.max(0, pes - (taken += change)) }));
  // what is free for a moment only is not free
  const freeFrom = (/** @type {number} */ first) => {
    const later = steps.slice(first).findIndex(({ at }) => at >= steps[first].at + LEAST);
    return Math.min(...steps.slice(first, later < 0 ? undefined : first + later).map((each) => each.free));
  };
  const { free } = steps[0];
  if (freeFrom(0) >= pes) {
    return { free, wanted: pes, until: steps.find((each) => each.free < pes)?.at ?? Infinity };
  }
  let size = granule;
  while (size <= freeFrom(0)) {
    size *= 2;
  }
  const wanted = Math.min(size, pes);
  return { free, wanted, at: steps.find(({ at }, i) => i > 0 && at < from + DAY && freeFrom(i) >= wanted)?.at };
}

/** The uses of a cluster's PEs in a day. @param {{bars: import("./layout.js").Bar[], pes: number, from: number, unit?: string}} its */
function Day({ bars, pes, from, unit }) {
  const to = from + DAY;
  const stripes = layOut(bars, pes);
  const tallest = bars.map(() => -1);
  for (let i = 0; i < stripes.size; i++) {
    const bar = stripes.bar[i];
    tallest[bar] = tallest[bar] < 0 || stripes.height[i] > stripes.height[tallest[bar]] ? i : tallest[bar];
  }
  const share = (/** @type {number} */ at) => 100 * (Math.min(to, Math.max(from, at)) - from) / DAY;
  const ticks = [];
  for (let at = startOfDay(from, zone()); at < to; at += TICK) {
    if (at > from + HOUR / 2) {
      ticks.push(at);
    }
  }
  return html`
    <div class="day">
      <div class="ticks" aria-hidden="true">${ticks.map((at) => html`<span key=${at} style=${{ left: `${share(at)}%` }}>${formatTime(at, zone())}</span>`)}</div>
      <ul>
        ${[...Array(stripes.size).keys()].map((i) => {
          const bar = bars[stripes.bar[i]];
          const isOutage = bar.kind === "OUTAGE";
          const name = isOutage ? "Out of service" : bar.project ?? bar.owner ?? (bar.kind === "JOB" ? "Job" : "Booked");
          return html`
            <li key=${i} class=${isOutage ? "out" : null} style=${{
              left: `${share(bar.start)}%`, width: `${share(bar.end) - share(bar.start)}%`, top: `${100 * stripes.top[i] / pes}%`, height: `${100 * stripes.height[i] / pes}%`,
              backgroundColor: `var(${isOutage ? "--outage" : bar.project ? colourOf(bar.project) : "--muted"})`,
            }}>${i === tallest[stripes.bar[i]] && html`<span><${Own}>${name}<//> <small>${[!isOutage && bar.project && html`<${Own}>${bar.owner}<//>`, " ", counted(bar.pes, unit)]}</small></span>`}</li>`;
        })}
        ${ticks.map((at) => html`<li key=${at} class="line" aria-hidden="true" style=${{ left: `${share(at)}%` }}></li>`)}
      </ul>
    </div>`;
}
