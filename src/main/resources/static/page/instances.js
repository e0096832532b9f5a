// @ts-check
import { bdi, h, replace, table } from "./dom.js";
import { texts } from "./texts.js";
import { formatInstant } from "./time.js";

const says = texts.run;

/**
 * Shows the instances of Berth on one database, and which of them decides.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 */
export function instances(root, { api, zone }) {
  const list = h("div");
  const button = h("button", { type: "button", onclick: read }, says.again);
  replace(root, h("section", { class: "panel" }, h("h2", null, says.instances), h("p", { class: "muted" }, says.instancesHint), list, button));

  async function read() {
    try {
      const { body } = await api.get("/instances");
      replace(list, table(says.instances, [says.instance, says.does, says.reachedAt, says.release, says.startedAt, says.heardAt], body.items.map(line)));
    } catch (problem) {
      replace(list, h("p", { class: "problem" }, String(/** @type {any} */ (problem).message)));
    }
  }

  /** @param {any} instance */
  function line(instance) {
    return [
      bdi(instance.name),
      says.states[instance.state] ?? instance.state,
      bdi(instance.url),
      bdi(instance.berth),
      formatInstant(instance.startedAt, zone()),
      formatInstant(instance.heardAt, zone()),
    ];
  }

  read();
}
