import { bdi, h, replace } from "./dom.js";
import { follow } from "./stream.js";
import { texts } from "./texts.js";
import { DAY, formatBare, formatInstant, formatRange, iso, now, startOfDay, zoneLabel } from "./time.js";

const EVERY = 30_000;
const says = texts.wall;

/**
 * Shows running and coming reservations and free PEs, for a screen on a wall.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, { api, session, zone }) {
  let later = 0;
  let isOver = false;
  const box = h("div", { class: "wall" });
  const foot = h("p", { class: "muted", role: "status" });
  replace(root, h("h1", { class: "unseen" }, says.title), box, foot);

  async function read() {
    try {
      const all = (await api.all("/clusters", {}, 100)).filter((each) => each.pes && !each.peer);
      const cards = await Promise.all(all.map(card));
      if (!isOver) {
        replace(box, cards);
        foot.textContent = says.asOf(formatInstant(now(), zone()));
      }
    } catch {
      foot.textContent = says.away;
    }
  }

  /** @param {any} cluster */
  async function card({ id, pes }) {
    const midnight = startOfDay(now(), zone());
    const [{ body: schedule }, { body: today }] = await Promise.all([
      api.get(`/clusters/${id}/schedule`, { from: iso(now() - 1000), to: iso(now() + DAY) }),
      api.get(`/clusters/${id}/utilisation`, { from: iso(midnight), to: iso(midnight + DAY) }),
    ]);
    const isNow = (/** @type {any} */ each) => Date.parse(each.start) <= now() && (!each.end || Date.parse(each.end) > now());
    const present = schedule.placements.filter(isNow);
    const taken = present.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.pes, 0);
    const out = schedule.placements.filter((/** @type {any} */ each) => each.kind === "OUTAGE");
    const next = schedule.placements.filter((/** @type {any} */ each) => each.kind !== "OUTAGE" && Date.parse(each.start) > now()).slice(0, 5);
    const runs = present.filter((/** @type {any} */ each) => each.kind !== "OUTAGE").length;
    return h(
      "section",
      { class: "panel" },
      h("h2", null, id),
      h("p", null, h("span", { class: "big" }, String(Math.max(0, pes - taken))), ` ${says.free} ${says.of(pes)}`),
      h("progress", { class: "share", max: pes, value: String(Math.min(pes, taken)), "aria-label": says.running(runs) }),
      h("p", null, `${says.running(runs)} · ${says.today(today.mean)}`),
      h("h3", null, says.next(zoneLabel(zone()))),
      next.length === 0
        ? h("p", { class: "muted" }, says.nothing)
        : h("ul", null, next.map((/** @type {any} */ each) =>
            h("li", null, `${formatBare(each.start, zone())} `, (each.project ?? each.owner) && [bdi(each.project ?? each.owner), ", "], says.pes(each.pes)))),
      out.length > 0 && [
        h("h3", null, says.outages),
        h("ul", null, out.map((/** @type {any} */ each) =>
          h("li", null, `${says.pes(each.pes)}, ${each.end ? formatRange(each.start, each.end, zone()) : formatInstant(each.start, zone())}`))),
      ],
    );
  }

  const stop = follow(session, "/events/stream", {
    onEvent() {
      clearTimeout(later);
      later = setTimeout(read, 1000);
    },
  });
  const timer = setInterval(read, EVERY);
  read();
  return {
    update: read,
    unmount() {
      isOver = true;
      stop();
      clearTimeout(later);
      clearInterval(timer);
    },
  };
}
