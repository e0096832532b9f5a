import { newKey } from "./api.js";
import { ask, failed, field, h, momentField, replace, select } from "./dom.js";
import { effects, effectsText } from "./effects.js";
import { texts } from "./texts.js";
import { durationSeconds, formatRange, fromField, HOUR, iso, isoDuration, now, toField } from "./time.js";

const says = texts.plan;

/**
 * Lets an administrator try an outage, and then make it.
 * @param {import("./main.js").Context} context
 * @param {string[]} clusters
 * @param {(cluster: string, effects: any | null, outage: any) => void} onEffects shows the effects; null: nothing is tried
 */
export function planner({ api, zone }, clusters, onEffects) {
  const cluster = field(says.cluster, select(clusters.map((each) => [each, each]), clusters[0] ?? "", { name: "outage-cluster" }));
  const pes = field(says.pes, h("input", { type: "number", min: 1, value: "1", name: "outage-pes" }));
  const peIds = field(says.peIds, h("input", { name: "outage-pe-ids", autocomplete: "off" }), says.peIdsHint);
  const isNow = h("input", { type: "radio", name: "outage-when", value: "now", checked: true });
  const isAt = h("input", { type: "radio", name: "outage-when", value: "at" });
  const when = h("fieldset", { class: "row" }, h("legend", null, says.begin),
    h("label", { class: "choice" }, isNow, says.beginNow), h("label", { class: "choice" }, isAt, says.beginAt));
  const begin = momentField(says.begin, zone, { value: toField(now() + 24 * HOUR, zone()), name: "outage-begin" });
  const duration = field(says.duration, h("input", { value: "4h", name: "outage-duration" }), texts.find.durationHint);
  const open = h("input", { type: "checkbox", name: "outage-open" });
  const latest = momentField(says.latest, zone, { name: "outage-latest" });
  const reason = field(says.reason, h("input", { maxlength: 200, name: "outage-reason" }));
  const said = h("div", { "aria-live": "polite" });
  const fields = /** @type {Record<string, typeof pes>} */ ({ pes, peIds, from: begin, to: duration, duration, reason });
  const make = h("button", { type: "button", class: "first", disabled: true, onclick: sure }, says.make);
  /** The last tried outage, and the idempotency key for making it. */
  /** @type {{path: string, body: Record<string, unknown>, key: string, effects: any} | null} */
  let tried = null;

  /** Returns the outage in the form, or null if a field shows an error. */
  function wanted() {
    Object.values(fields).forEach((each) => each.error(""));
    latest.error("");
    const [start, length] = [isNow.checked ? now() : fromField(begin.input.value, zone()), durationSeconds(duration.input.value)];
    const ids = peIds.input.value.replaceAll(" ", "");
    if (!ids && !(Number(pes.input.value) >= 1)) {
      pes.error(texts.find.pesWrong);
    } else if (Number.isNaN(start)) {
      begin.error(texts.find.momentWrong);
    } else if (!(length > 0)) {
      duration.error(texts.find.durationWrong);
    } else {
      const note = reason.input.value.trim();
      return {
        start, length, pes: Number(pes.input.value),
        body: {
          ...(ids ? { peIds: ids } : { pes: Number(pes.input.value) }),
          ...(isNow.checked ? {} : { from: iso(start) }),
          ...(open.checked ? {} : { to: iso(start + length * 1000) }),
          ...(note ? { reason: note } : {}),
        },
      };
    }
    return null;
  }

  /** @param {boolean} isLater whether the outage begins at a time that the user enters */
  function choose(isLater) {
    isAt.checked = isLater;
    isNow.checked = begin.node.hidden = !isLater;
  }

  /** @param {any} problem */
  function refused(problem) {
    (problem.errors ?? []).forEach((/** @type {any} */ error) => fields[error.field]?.error(error.message));
    replace(said, failed(problem));
  }

  function forget() {
    tried = null;
    make.disabled = true;
    onEffects(cluster.input.value, null, null);
  }

  async function tryOut() {
    const want = wanted();
    if (!want) {
      return;
    }
    forget();
    const [id, path] = [cluster.input.value, `/clusters/${cluster.input.value}/outages`];
    try {
      const { body } = await api.post(path, { ...want.body, dryRun: true });
      tried = { path, body: want.body, key: newKey(), effects: body.effects };
      make.disabled = false;
      onEffects(id, body.effects, body);
      replace(said, effects(body.effects, zone()));
    } catch (problem) {
      refused(problem);
    }
  }

  async function sure() {
    const what = tried;
    if (!what || !(await ask(`${effectsText(what.effects)} ${says.makeAsk(cluster.input.value)}`, says.make, texts.run.no))) {
      return;
    }
    make.disabled = true;
    try {
      const { body } = await api.post(what.path, what.body, { key: what.key });
      forget();
      onEffects(cluster.input.value, null, body);
      replace(said, h("p", { class: "note" }, says.made));
    } catch (problem) {
      make.disabled = what !== tried;
      refused(problem);
    }
  }

  async function suggest() {
    const want = wanted();
    if (!want) {
      return;
    }
    const end = fromField(latest.input.value, zone(), true);
    try {
      const { body } = await api.post(`/clusters/${cluster.input.value}/outages/slots`, {
        pes: want.pes, duration: isoDuration(want.length),
        ...(Number.isNaN(end) ? {} : { from: iso(Math.max(now(), want.start)), to: iso(end) }),
      });
      replace(said, body.slots.map((/** @type {any} */ slot) => h("p", null, h("button", {
        type: "button",
        onclick: () => {
          choose(true);
          begin.input.value = toField(Date.parse(slot.from) + 59_000, zone());
          tryOut();
        },
      }, says.slot(formatRange(slot.from, slot.to, zone()), slot.moved, slot.failed, slot.losing)))));
    } catch (problem) {
      refused(problem);
    }
  }

  const node = h(
    "form",
    {
      class: "panel",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        tryOut();
      },
      oninput: () => {
        duration.input.disabled = open.checked;
        choose(isAt.checked);
        forget();
      },
    },
    h("h2", null, says.outageTitle),
    h("div", { class: "row" }, cluster.node, pes.node, when, begin.node, duration.node, reason.node),
    h("details", null, h("summary", null, says.moreOutage),
      h("div", { class: "row" }, peIds.node, latest.node),
      h("label", { class: "choice" }, open, says.openEnd)),
    h("p", { class: "row" },
      h("button", { type: "button", onclick: suggest }, says.suggest),
      h("button", null, says.dryRun),
      make),
    said,
  );
  choose(false);
  return {
    node,
    /** Selects the first shown cluster, unless the selected one is shown or an outage is tried. @param {string[]} shown */
    choose(shown) {
      if (!tried && shown.length > 0 && !shown.includes(cluster.input.value)) {
        cluster.input.value = shown[0];
      }
    },
  };
}
