// @ts-check
import { field, h, replace, select } from "./dom.js";
import { formatMoney } from "./money.js";
import { texts } from "./texts.js";
import { durationSeconds, formatRange, fromField, HOUR, iso, isoDuration, now, toField } from "./time.js";

const says = texts.plan;

/**
 * Lets an administrator see what an outage would do, and then make it.
 * @param {import("./main.js").Context} context
 * @param {string[]} clusters
 * @param {(cluster: string, effects: any | null, outage: any) => void} onEffects shows what would happen; null: nothing is tried
 */
export function planner({ api, zone }, clusters, onEffects) {
  const cluster = field(says.cluster, select(clusters.map((each) => [each, each]), clusters[0] ?? "", { name: "outage-cluster" }));
  const pes = field(says.pes, h("input", { type: "number", min: 1, value: "1", name: "outage-pes" }));
  const begin = field(says.begin, h("input", { type: "datetime-local", value: toField(now() + 24 * HOUR, zone()), name: "outage-begin" }));
  const duration = field(says.duration, h("input", { value: "4h", name: "outage-duration" }), texts.find.durationHint);
  const reason = field(says.reason, h("input", { maxlength: 200, name: "outage-reason" }));
  const said = h("div", { "aria-live": "polite" });
  const fields = /** @type {Record<string, typeof pes>} */ ({ pes, from: begin, to: duration, duration, reason });
  const make = h("button", { type: "button", class: "first", disabled: true, onclick: () => act(false) }, says.make);

  /** Returns what is asked for; null: a field says what is wrong. */
  function wanted() {
    Object.values(fields).forEach((each) => each.error(""));
    const [start, length] = [fromField(begin.input.value, zone()), durationSeconds(duration.input.value)];
    if (!(Number(pes.input.value) >= 1)) {
      pes.error(texts.find.pesWrong);
    } else if (Number.isNaN(start)) {
      begin.error(texts.find.momentWrong);
    } else if (!(length > 0)) {
      duration.error(texts.find.durationWrong);
    } else {
      return { start, length, pes: Number(pes.input.value) };
    }
    return null;
  }

  /** @param {any} problem */
  function refused(problem) {
    (problem.errors ?? []).forEach((/** @type {any} */ error) => fields[error.field]?.error(error.message));
    replace(said, h("p", { class: "problem" }, problem.message));
  }

  /** @param {boolean} isTried */
  async function act(isTried) {
    const want = wanted();
    if (!want) {
      return;
    }
    const note = reason.input.value.trim();
    try {
      const { body } = await api.post(`/clusters/${cluster.input.value}/outages`, {
        pes: want.pes,
        from: iso(want.start),
        to: iso(want.start + want.length * 1000),
        ...(note ? { reason: note } : {}),
        ...(isTried ? { dryRun: true } : {}),
      });
      make.disabled = !isTried;
      onEffects(cluster.input.value, isTried ? body.effects : null, body);
      replace(said, isTried ? h("p", { class: "note" }, effectsText(body.effects)) : h("p", { class: "note" }, says.made));
    } catch (problem) {
      refused(problem);
    }
  }

  async function suggest() {
    const want = wanted();
    if (!want) {
      return;
    }
    try {
      const { body } = await api.post(`/clusters/${cluster.input.value}/outages/slots`, {
        pes: want.pes, duration: isoDuration(want.length),
      });
      replace(said, body.slots.map((/** @type {any} */ slot) => h("p", null, h("button", {
        type: "button",
        onclick: () => {
          begin.input.value = toField(Date.parse(slot.from) + 59_000, zone());
          act(true);
        },
      }, says.slot(formatRange(slot.from, slot.to, zone()), slot.moved, slot.failed)))));
    } catch (problem) {
      refused(problem);
    }
  }

  const form = h(
    "form",
    {
      class: "panel",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        act(true);
      },
      oninput: () => {
        make.disabled = true;
        onEffects(cluster.input.value, null, null);
      },
    },
    h("h2", null, says.outageTitle),
    h("div", { class: "row" }, cluster.node, pes.node, begin.node, duration.node, reason.node),
    h("p", { class: "row" },
      h("button", { type: "button", onclick: suggest }, says.suggest),
      h("button", null, says.dryRun),
      make),
    said,
  );
  return form;
}

/**
 * Returns what a dry run has told, in words.
 * @param {any} effects
 */
export function effectsText(effects) {
  const { moved, failed, credits } = effects;
  return moved.length + failed.length === 0
    ? says.harmless
    : says.effects(moved.length, failed.length, credits.map(formatMoney).join(", "));
}
