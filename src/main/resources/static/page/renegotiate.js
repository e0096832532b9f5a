import { newKey } from "./api.js";
import { failed, field, h, momentField, replace } from "./dom.js";
import { othersText } from "./effects.js";
import { formatMoney } from "./money.js";
import { texts } from "./texts.js";
import { durationSeconds, formatDuration, formatInstant, formatRange, fromField, iso, isoDuration, toField } from "./time.js";

const PAUSE = 150;
const HEIGHT = 150;
/** How much later than now agreed the run may finish at each point of the curve, in run times. The first is the price that it has. */
const POINTS = [0, 0.5, 1, 2, 4, 8, 16];
const says = texts.reservation;

/**
 * Lets the owner try other terms, with a slider and a price curve, and agree to them.
 * @param {import("./main.js").Context} context
 * @param {() => {body: any, etag: string | null}} present the reservation as it is
 * @param {(reservation: any) => void} onAgreed
 */
export function renegotiation({ api, zone }, present, onAgreed) {
  let waiting = 0;
  /** @type {AbortController | null} */
  let asking = null;
  /** @type {{at: number, deadline: number, price: any}[]} */
  let points = [];
  const slider = field(says.flexibility, h("input", { type: "range", min: 0, max: POINTS.length - 1, step: 0.1, value: "0", name: "flexibility" }));
  const deadline = momentField(says.deadline, zone, { name: "deadline" });
  const pes = field(says.newPes, h("input", { type: "number", min: 1, name: "pes" }));
  const duration = field(says.newDuration, h("input", { name: "duration", autocomplete: "off" }), texts.find.durationHint);
  const fields = /** @type {Record<string, typeof pes>} */ ({ "terms.pes": pes, "terms.deadline": deadline, "terms.duration": duration });
  const said = h("div", { "aria-live": "polite" });
  const agree = h("button", { type: "button", class: "first", disabled: true, onclick: doIt }, says.agree);
  const canvas = h("canvas", { role: "img", "aria-label": says.curve });
  canvas.style.height = `${HEIGHT}px`;
  const listed = h("ul", { class: "unseen" });
  const drawing = h("div", { class: "field" }, h("p", null, h("strong", null, says.curve)), canvas, listed, h("p", { class: "muted" }, says.curveHint));
  const freedom = h("p", { class: "muted" });
  const node = h(
    "section",
    { class: "panel" },
    h("h2", null, says.renegotiate),
    freedom,
    h("div", { class: "row" },
      h("form", { class: "field", onsubmit: (/** @type {Event} */ event) => event.preventDefault() }, slider.node, deadline.node, pes.node, duration.node, said, agree),
      drawing),
  );

  const terms = () => present().body.terms;
  const run = () => durationSeconds(terms().duration ?? "PT1H");
  const agreed = () => Date.parse(terms().deadline);
  const stays = () => present().body.scenario === "STRICT";
  const isRunning = () => present().body.state === "RUNNING";
  const isFinal = () => isRunning() || !present().body.movable && !stays();

  function reset() {
    slider.input.value = "0";
    deadline.input.value = toField(agreed(), zone());
    pes.input.value = String(terms().pes ?? "");
    pes.node.hidden = terms().pes === null;
    duration.input.value = formatDuration(terms().duration ?? "PT0S");
    agree.disabled = true;
    replace(said, h("p", { class: "muted" }, says.unchanged));
    curve();
  }

  /** @param {number} at a position of the slider */
  function deadlineAt(at) {
    const [low, high] = [POINTS[Math.floor(at)], POINTS[Math.min(POINTS.length - 1, Math.floor(at) + 1)]];
    return agreed() + (low + (high - low) * (at % 1)) * run() * 1000;
  }

  /** Returns the new terms as a patch, or null if a field shows an error. */
  function wanted() {
    Object.values(fields).forEach((each) => each.error(""));
    const end = fromField(deadline.input.value, zone(), true);
    const length = durationSeconds(duration.input.value);
    if (Number.isNaN(end)) {
      deadline.error(texts.find.momentWrong);
      return null;
    }
    if (!(length > 0)) {
      duration.error(texts.find.durationWrong);
      return null;
    }
    if (!pes.node.hidden && !(Number(pes.input.value) >= 1)) {
      pes.error(texts.find.pesWrong);
      return null;
    }
    return {
      ...(Math.abs(end - agreed()) < 60_000 ? {} : { deadline: iso(end) }),
      ...(length === run() || formatDuration(length) === formatDuration(run()) ? {} : { duration: isoDuration(length) }),
      ...(pes.node.hidden || Number(pes.input.value) === terms().pes ? {} : { pes: Number(pes.input.value) }),
    };
  }

  /** @param {Record<string, unknown>} patch @param {AbortSignal} [signal] */
  async function tryOut(patch, signal) {
    const { body } = await api.post(`/reservations/${present().body.id}/renegotiations`, { terms: patch, dryRun: true }, { signal });
    return body;
  }

  async function show() {
    const patch = wanted();
    asking?.abort();
    agree.disabled = true;
    if (!patch) {
      return;
    }
    if (Object.keys(patch).length === 0) {
      replace(said, h("p", { class: "muted" }, says.unchanged));
      return;
    }
    const own = new AbortController();
    asking = own;
    try {
      const { before, after, effects } = await tryOut(patch, own.signal);
      const { start, end } = after.placement;
      const isCredited = after.returnCredit && after.returnCredit.amount !== before.returnCredit?.amount;
      replace(said, h("p", { class: "note" }, [
        says.wouldCost(formatMoney(before.price), formatMoney(after.price)),
        says.wouldMove(formatRange(start, end, zone())),
        isCredited && says.returnedInAll(formatMoney(after.returnCredit)),
        othersText(effects),
      ].filter(Boolean).join(", ")));
      agree.disabled = false;
    } catch (problem) {
      if (!own.signal.aborted) {
        refused(problem);
      }
    }
  }

  /** @param {any} problem */
  function refused(problem) {
    (problem.errors ?? []).forEach((/** @type {any} */ error) => fields[error.field]?.error(error.message));
    replace(said, failed(problem));
  }

  async function doIt() {
    const patch = wanted();
    if (!patch) {
      return;
    }
    try {
      const how = { key: newKey(), ifMatch: present().etag };
      const { body } = await api.post(`/reservations/${present().body.id}/renegotiations`, { terms: patch }, how);
      onAgreed(body.reservation);
    } catch (problem) {
      refused(problem);
    }
  }

  /** Asks for the price at each point, and draws the curve if freedom would make the run cheaper. */
  async function curve() {
    const own = present().body;
    const found = isFinal() ? [] : await Promise.all(POINTS.map(async (_, at) => {
      const end = Math.ceil(deadlineAt(at) / 60_000) * 60_000;
      try {
        return { at, deadline: at ? end : agreed(), price: at ? (await tryOut({ deadline: iso(end) })).after.price : own.price };
      } catch {
        return null;
      }
    }));
    if (own.id !== present().body.id || own.version !== present().body.version) {
      return;
    }
    points = found.filter((each) => each !== null).filter((each) => Number(each.price.amount) <= Number(own.price.amount));
    const helps = points.some((each) => Number(each.price.amount) < Number(own.price.amount));
    slider.node.hidden = drawing.hidden = !helps;
    const free = says.free(formatInstant(agreed(), zone()));
    freedom.textContent = isRunning() ? says.isRunning : isFinal() ? says.isFinal : `${stays() ? says.isStrict : free} ${helps ? says.mayFinishLater : says.noGain}`;
    replace(listed, points.map((each) => h("li", null, `${formatInstant(each.deadline, zone())}: ${formatMoney(each.price)}`)));
    draw();
  }

  function draw() {
    const scale = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    canvas.width = Math.max(1, width * scale);
    canvas.height = HEIGHT * scale;
    const context = canvas.getContext("2d");
    if (!context || points.length === 0) {
      return;
    }
    const style = getComputedStyle(canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const prices = points.map((each) => Number(each.price.amount));
    const [low, high] = [Math.min(...prices), Math.max(...prices)];
    const x = (/** @type {number} */ at) => 12 + (at / (POINTS.length - 1)) * (width - 24);
    const y = (/** @type {number} */ price) => HEIGHT - 24 - (high > low ? (price - low) / (high - low) : 0.5) * (HEIGHT - 60);
    context.scale(scale, scale);
    context.font = "11px system-ui, sans-serif";
    context.strokeStyle = context.fillStyle = colour("accent");
    context.lineWidth = 2;
    context.beginPath();
    points.forEach((each, i) => context[i === 0 ? "moveTo" : "lineTo"](x(each.at), y(prices[i])));
    context.stroke();
    points.forEach((each, i) => {
      context.fillStyle = colour("accent");
      const size = each.at === 0 ? 10 : 6;
      context.fillRect(x(each.at) - size / 2, y(prices[i]) - size / 2, size, size);
      context.fillStyle = colour("ink");
      context.textAlign = i === 0 ? "left" : i === points.length - 1 ? "right" : "center";
      if (i % 2 === 0 || width > 420) {
        context.fillText(each.price.amount, x(each.at), y(prices[i]) - 8);
      }
    });
    context.fillStyle = colour("focus");
    context.fillRect(x(Number(slider.input.value)) - 1, 14, 2, HEIGHT - 28);
    context.fillStyle = colour("muted");
    context.textAlign = "left";
    context.fillText(says.asAgreed, x(0), HEIGHT - 6);
    context.textAlign = "right";
    context.fillText(`+${formatDuration(POINTS[POINTS.length - 1] * run())}`, x(POINTS.length - 1), HEIGHT - 6);
  }

  function showSoon() {
    clearTimeout(waiting);
    waiting = setTimeout(show, PAUSE);
  }
  slider.input.addEventListener("input", () => {
    deadline.input.value = toField(Math.ceil(deadlineAt(Number(slider.input.value)) / 60_000) * 60_000, zone());
    draw();
    showSoon();
  });
  [deadline, pes, duration].forEach((each) => each.input.addEventListener("input", showSoon));
  const watch = new ResizeObserver(draw);
  watch.observe(canvas);
  return {
    node,
    reset,
    end() {
      clearTimeout(waiting);
      asking?.abort();
      watch.disconnect();
    },
  };
}
