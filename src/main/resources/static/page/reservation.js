import { newKey } from "./api.js";
import { announce, ask, bdi, facts, failed, field, h, replace } from "./dom.js";
import { historyLine, lacks } from "./history.js";
import { formatMoney } from "./money.js";
import { renegotiation } from "./renegotiate.js";
import { follow } from "./stream.js";
import { texts } from "./texts.js";
import { durationSeconds, formatDate, formatDuration, formatInstant, formatRange, isoDuration, now } from "./time.js";
import { address, params } from "./url.js";

const says = texts.reservation;

/**
 * Shows a reservation: its terms, its events as they happen, and its owner's actions.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, context) {
  const { api, session, account, zone } = context;
  /** @type {{body: any, etag: string | null}} */
  let present = { body: null, etag: null };
  let id = "";
  let stop = () => {};
  /** @type {ReturnType<typeof renegotiation> | null} */
  let other = null;
  /** @type {any} */
  let last = null;
  let version = -1;
  let isOver = false;
  /** @type {ReturnType<typeof extension> | null} */
  let longer = null;
  const title = h("h1");
  const known = h("section", { class: "panel" });
  const offer = h("div");
  const actions = h("section", { class: "panel" });
  const said = h("div", { "aria-live": "polite" });
  const terms = h("div");
  const history = h("ol", { class: "history" });
  const live = h("span", { class: "muted", role: "status" });
  const back = h("a", { href: address("reservations") }, says.back);

  function begin() {
    stop();
    other?.end();
    other = null;
    longer = null;
    last = null;
    version = -1;
    id = params().get("id") ?? "";
    const own = id;
    title.textContent = texts.views.reservation;
    replace(history);
    replace(
      root, h("p", null, back), title, offer,
      h("div", { class: "columns" },
        h("div", null, known, actions),
        h("div", { class: "stack" }, terms, h("section", { class: "panel" }, h("h2", null, says.history, " ", live), history))),
    );
    replace(actions, h("h2", null, says.actions), said);
    read().then(() => listen(own)).catch((problem) => {
      if (isShown(own)) {
        replace(root, h("h1", null, texts.views.reservation), failed(problem.status === 404 || problem.status === 400 ? says.none : problem), back);
      }
    });
  }

  /** Returns whether this reservation is still shown. @param {string} which */
  function isShown(which) {
    return !isOver && which === id;
  }

  async function read() {
    const own = id;
    const answer = await api.get(`/reservations/${own}`);
    if (isShown(own)) {
      present = answer;
      show();
    }
  }

  /** @param {string} own */
  async function listen(own) {
    const events = await api.all(`/reservations/${own}/events`, {}, 500);
    if (!isShown(own)) {
      return;
    }
    events.forEach(hear);
    stop = follow(session, `/reservations/${id}/events/stream`, {
      onState: (isConnected) => {
        live.textContent = isConnected ? says.live : says.away;
      },
      onEvent: (event) => {
        hear(event);
        read().catch(() => {});
        announce(texts.events[event.type] ?? event.type);
      },
    }, last ? String(last.sequence) : "0");
  }

  /** @param {any} event */
  function hear(event) {
    history.prepend(historyLine(event, last, zone()));
    last = event;
  }

  function show() {
    const { body } = present;
    replace(title, body.name ? bdi(body.name) : texts.views.reservation);
    const { placement } = body;
    const parts = placement && placement.parts.length > 1;
    /** @type {[string, any][]} */
    const all = [
      [texts.mine.state, h("span", { class: `state state-${body.state}` }, texts.states[body.state])],
      [says.cluster, body.cluster],
      [says.when, placement && formatRange(placement.start, placement.end, zone())],
      [says.parts, parts && placement.parts.map((/** @type {any} */ part) => h("div", null, formatRange(part.start, part.end, zone())))],
      [says.pes, placement && (placement.peIds ? `${placement.pes} (${placement.nodes ?? placement.peIds})` : placement.pes)],
      [says.nearestPlace, body.nearestPlace && [formatRange(body.nearestPlace.start, body.nearestPlace.end, zone()), h("br"), findAgain(body)]],
      [says.lacks, body.losses && lacks(body.losses, zone())],
      [says.lost, body.losses?.peSeconds > 0 && says.lostHours((body.losses.peSeconds / 3600).toFixed(2))],
      [says.taken, body.losses?.taken?.peIds && (body.losses.taken.nodes ?? body.losses.taken.peIds)],
      [says.takenSoFar, body.losses?.taken?.peSeconds > 0 && says.lostHours((body.losses.taken.peSeconds / 3600).toFixed(2))],
      [says.window, body.scenario !== "STRICT" && formatRange(body.terms.readyTime, body.terms.deadline, zone())],
      [says.duration, body.terms.duration && formatDuration(body.terms.duration)],
      [says.runTime, placement && placement.runTime !== body.terms.duration && formatDuration(placement.runTime)],
      [says.movable, body.state === "CONFIRMED" && place(body)],
      [says.moves, body.moves && (body.moves.count > 0 || body.movable) && moves(body)],
      [says.enforcement, body.enforcement && says.enforced[body.enforcement.state]],
      [says.handle, body.enforcement?.handle && [h("code", null, body.enforcement.handle), ` ${body.enforcement.nodes ?? ""}`]],
      [says.whyNot, body.enforcement?.detail],
      [says.claimBy, body.claimBy && formatInstant(body.claimBy, zone())],
      [says.price, formatMoney(body.price)],
      [says.budget, body.terms.budget && formatMoney(body.terms.budget)],
      [says.credit, body.credit && formatMoney(body.credit)],
      [says.returnCredit, body.returnCredit && formatMoney(body.returnCredit)],
      [says.returnCreditOpen, body.returnCreditOpen && says.atMost(formatMoney(body.returnCreditOpen))],
      [says.project, body.project && bdi(body.project)],
      [says.series, body.series && [says.occurrence(formatDate(body.occurrence)), h("a", { href: address("series", { id: body.series }) }, says.allOfIt)]],
      [says.owner, body.owner],
      [says.users, body.users.join(", ")],
      [says.id, body.id],
    ];
    replace(known, facts(all));
    showOffer();
    showActions();
    const isOwner = body.owner === account.name;
    const canChange = isOwner && (body.state === "CONFIRMED" || body.state === "RUNNING") && body.terms.duration && placement;
    if (canChange && !other) {
      other = renegotiation(context, () => present, (reservation) => {
        present = { body: reservation, etag: null };
        announce(says.done);
        read();
      });
      replace(terms, other.node);
      version = -1;
    }
    if (!canChange) {
      other?.end();
      other = null;
      replace(terms);
    }
    // keep the user's input while the same reservation is shown
    if (body.version !== version) {
      version = body.version;
      other?.reset();
      longer?.reset();
    }
  }

  /** Returns a link to the search for a place like that of a reservation, from the nearest one on. @param {any} body */
  function findAgain({ terms, cluster, nearestPlace, placement }) {
    const { maxParts } = terms.preemption ?? {};
    const run = terms.duration ?? placement.runTime;
    const words = formatDuration(run);
    return h("a", { href: address("book", {
      pes: String(terms.pes ?? terms.maxPes ?? placement.pes),
      duration: durationSeconds(words) === durationSeconds(run) ? words : run,
      from: String(Date.parse(nearestPlace.start)),
      cluster,
      min: terms.minPes ? String(terms.minPes) : null,
      parts: maxParts ? String(maxParts) : null,
    }) }, says.findAgain);
  }

  /** @param {any} body */
  function place(body) {
    return body.scenario === "STRICT" ? says.stays : body.movable ? says.mayMove(formatInstant(body.fixedAt, zone())) : says.final;
  }

  /** @param {any} body */
  function moves({ moves: { count, left, from, to } }) {
    return [says.movedSoFar(count), left === null ? says.anyMoves : says.movesLeft(left), from && says.within(formatRange(from, to, zone()))].filter(Boolean).join("; ");
  }

  function showOffer() {
    const { proposal, owner } = present.body;
    replace(offer, proposal && owner === account.name && h(
      "section",
      { class: "panel" },
      h("h2", null, says.proposal),
      h("p", null, says.incentive(formatMoney(proposal.incentive)), " ", says.until(formatInstant(proposal.expiresAt, zone()))),
      h("p", null, `${says.window}: ${formatRange(proposal.terms.readyTime, proposal.terms.deadline, zone())}, ${formatDuration(proposal.terms.duration ?? 0)}`),
      h("p", { class: "row" },
        h("button", { type: "button", class: "first", onclick: () => act(`renegotiations/${proposal.number}/accept`) }, says.accept),
        h("button", { type: "button", onclick: () => act(`renegotiations/${proposal.number}/decline`) }, says.decline)),
    ));
  }

  /** @param {string} what @param {unknown} [body] */
  async function act(what, body) {
    try {
      await api.post(`/reservations/${id}/${what}`, body, { key: newKey(), ifMatch: present.etag });
      replace(said, h("p", { class: "note" }, says.done));
      await read();
    } catch (problem) {
      const refused = /** @type {any} */ (problem);
      replace(said, failed(refused));
      if (refused.code === "stale-version" || refused.code === "wrong-state") {
        read().catch(() => {});
      }
    }
  }

  function showActions() {
    const { state, claimBy, movable, owner } = present.body;
    const canExtend = owner === account.name && ["CONFIRMED", "RUNNING"].includes(state);
    longer = canExtend ? longer ?? extension() : null;
    const plain = (/** @type {string} */ text, /** @type {string} */ what) =>
      h("button", { type: "button", class: "first", onclick: () => act(what) }, text);
    const sure = (/** @type {string} */ text, /** @type {string} */ question, /** @type {string} */ what) =>
      h("button", { type: "button", class: "harm", onclick: async () => {
        if (await ask(`${question} ${await owed(what)}`, text, says.no)) {
          act(what);
        }
      } }, text);
    replace(
      actions,
      h("h2", null, says.actions),
      h("p", { class: "row" },
        state === "HELD" && plain(says.confirm, "confirm"),
        state === "RUNNING" && claimBy && plain(says.claim, "claim"),
        state === "CONFIRMED" && movable && h("button", { type: "button", onclick: fix }, says.fix),
        state === "RUNNING" && sure(says.complete, says.completeAsk, "complete"),
        ["HELD", "CONFIRMED", "PENDING", "WAITING"].includes(state) && sure(says.cancel, says.cancelAsk, "cancel")),
      longer?.node,
      said,
    );
  }

  /** Returns what the owner would owe after this action, and until when a cancellation is free. @param {string} what */
  async function owed(what) {
    try {
      const { body: { before, after } } = await api.post(`/reservations/${id}/${what}`, { dryRun: true });
      if (!before.price) {
        return "";
      }
      const free = what === "cancel" ? await freeUntil(before) : "";
      const isFree = Number(after.price.amount) === 0;
      const back = after.returnCredit ? says.returns(formatMoney(after.returnCredit)) : "";
      return [isFree ? says.owesNothing : says.owes(formatMoney(after.price), formatMoney(before.price)), back, free].join(" ");
    } catch {
      // such as a reservation at another Berth, which cannot be tried
      return says.owesUnknown;
    }
  }

  /** @param {any} body */
  async function freeUntil(body) {
    const { tariff } = (await api.get(`/clusters/${body.cluster}`)).body;
    if (!tariff?.cancellation) {
      return "";
    }
    const until = Date.parse(body.placement.start) - durationSeconds(tariff.cancellation.freeUntil) * 1000;
    return (until > now() ? says.freeUntil : says.wasFreeUntil)(formatInstant(until, zone()));
  }

  async function fix() {
    try {
      const { body } = await api.post(`/reservations/${id}/fix`, { dryRun: true });
      if (await ask(says.fixAsk(formatMoney(body.after.price)), says.fix, says.no)) {
        act("fix");
      }
    } catch (problem) {
      replace(said, failed(problem));
    }
  }

  function extension() {
    const by = field(says.by, h("input", { value: "1h", name: "by", autocomplete: "off" }), texts.find.durationHint);
    const atLeast = field(says.atLeast, h("input", { name: "atLeast", autocomplete: "off" }), says.atLeastHint);
    const told = h("div", { "aria-live": "polite" });
    const make = h("button", { type: "button", disabled: true, onclick: () => extend(false) }, says.doExtend);

    /** @param {boolean} isTried */
    async function extend(isTried) {
      by.error("");
      atLeast.error("");
      const [wanted, least] = [durationSeconds(by.input.value), atLeast.input.value.trim() ? durationSeconds(atLeast.input.value) : 0];
      if (!(wanted > 0) || Number.isNaN(least)) {
        (wanted > 0 ? atLeast : by).error(texts.find.durationWrong);
        return;
      }
      const body = { by: isoDuration(wanted), ...(least ? { atLeast: isoDuration(least) } : {}) };
      if (!isTried) {
        act("extend", body);
        return;
      }
      try {
        const answer = await api.post(`/reservations/${id}/extend`, { ...body, dryRun: true });
        const { placement, price } = answer.body.after;
        replace(told, h("p", { class: "note" }, says.wouldExtend(formatInstant(placement.end, zone()), formatMoney(price))));
        make.disabled = false;
      } catch (problem) {
        const refused = /** @type {any} */ (problem);
        (refused.errors ?? []).forEach((/** @type {any} */ error) => (error.field === "atLeast" ? atLeast : by).error(error.message));
        replace(told, failed(refused));
      }
    }
    const node = h("details", null,
      h("summary", null, says.extend),
      h("form", { oninput: () => {
        make.disabled = true;
      }, onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        extend(true);
      } },
      by.node, atLeast.node, h("p", { class: "row" }, h("button", null, says.tryExtend), make), told));
    return {
      node,
      /** Clears the result of a try on other terms. */
      reset() {
        make.disabled = true;
        replace(told);
      },
    };
  }

  begin();
  return {
    update() {
      if (params().get("id") !== id) {
        begin();
      } else if (present.body) {
        show();
      }
    },
    unmount() {
      isOver = true;
      stop();
      other?.end();
    },
  };
}
