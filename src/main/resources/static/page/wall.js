import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { newKey } from "./api.js";
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
  const read = useRead(async () => (await api.all("/clusters", {}, 500)).filter((each) => each.pes && !each.peer), [Math.floor(beat.value / 10)]);
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
    name.value = `screen-${newKey().slice(0, 8)}`;
    const { body } = await api.post("/accounts", { name: name.value, role: "SCREEN" });
    link.value = new URL(address("wall", { key: body.token, cluster: params().getAll("cluster") }), location.href).href;
  });
  return html`
    <div class="row tools">
      ${isAdmin && html`<button type="button" disabled=${making.isBusy} onclick=${make}><${Icon} name="link" />Link for a screen</button>`}
      <button type="button" onclick=${() => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()}><${Icon} name="monitor" />Full screen</button>
      <a class="button" href="#/"><${Icon} name="x" />Leave</a>
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
  const read = useRead(async () => {
    const from = now();
    const { body } = await api.get(`/clusters/${id}/schedule`, { from: iso(from - 1000), to: iso(from + DAY) });
    return { from, bars: body.placements.map((/** @type {any} */ each) => barOf(each, from + DAY)) };
  }, [id, beat]);
  if (!read.data) {
    return html`<section class="strip"><h2>${id}</h2>${read.problem ? html`<p class="problem">The service does not answer. This page keeps trying.</p>` : html`<${Skeleton} />`}</section>`;
  }
  const { from, bars } = read.data;
  const taken = takenAt(bars, pes);
  const free = pes - taken(from, from + 1);
  return html`
    <section class="strip">
      <div class="says">
        <h2>${id}</h2>
        <p><span class="big">${free}</span> ${counted(free, unit).replace(/^[\d,]+ /, "")} free now</p>
        <p>${next(taken, bars, from, pes, granule, unit)}</p>
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
 * Returns the largest number of PEs taken at once between two instants, as a function of these.
 * @param {import("./layout.js").Bar[]} bars
 * @param {number} pes
 */
function takenAt(bars, pes) {
  return (/** @type {number} */ from, /** @type {number} */ to) => {
    const moments = [from, ...bars.map((each) => each.start).filter((each) => each > from && each < to)];
    return Math.min(pes, Math.max(...moments.map((at) => bars.reduce((sum, each) => each.start <= at && each.end > at ? sum + each.pes : sum, 0))));
  };
}

/**
 * Says when more PEs become free than are free now.
 * @param {(from: number, to: number) => number} taken
 * @param {import("./layout.js").Bar[]} bars
 * @param {number} from
 * @param {number} pes
 * @param {number} granule
 * @param {string} [unit]
 */
function next(taken, bars, from, pes, granule, unit) {
  const free = (/** @type {number} */ at) => pes - taken(at, at + LEAST);
  const ends = [...new Set(bars.map((each) => each.end))].filter((each) => each < from + DAY).sort((a, b) => a - b);
  let size = granule;
  while (size <= free(from)) {
    size *= 2;
  }
  const wanted = Math.min(size, pes);
  if (free(from) >= pes) {
    const first = Math.min(...bars.map((each) => each.start).filter((each) => each > from));
    return Number.isFinite(first) ? `all until ${formatTime(first, zone())}` : "all day";
  }
  const at = ends.find((each) => free(each) >= wanted);
  return at ? html`next <strong>${counted(wanted, unit)}</strong> at <strong>${formatTime(at, zone())}</strong>` : "no more for a day";
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
