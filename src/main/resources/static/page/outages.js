import { ask, bdi, failed, field, h, replace, table } from "./dom.js";
import { planner } from "./planner.js";
import { texts } from "./texts.js";
import { formatInstant } from "./time.js";
import { address, change, params } from "./url.js";

const says = texts.run;

/**
 * Shows the outages of a cluster, and a form for new ones.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 */
export function outages(root, context) {
  const { api, zone } = context;
  const choice = field(says.cluster, h("select", { name: "cluster" }));
  const list = h("div");
  const said = h("div", { "aria-live": "polite" });
  const tools = h("div");
  /** @type {ReturnType<typeof planner> | null} */
  let plan = null;
  replace(root, h("section", { class: "panel" }, choice.node, said, list), tools);
  choice.input.addEventListener("change", () => {
    change({ cluster: choice.input.value });
    read();
  });

  async function read() {
    const id = choice.input.value;
    plan?.choose([id]);
    const all = await api.all(`/clusters/${id}/outages`, {}, 200);
    if (id !== choice.input.value) {
      return;
    }
    replace(list, all.length === 0
      ? h("p", null, says.noOutages)
      : table(says.outages, [says.from, says.to, says.pes, says.reason, says.moved, says.failed, says.actions], all.map((each) => [
          formatInstant(each.from, zone()),
          each.endedAt ? formatInstant(each.endedAt, zone()) : each.to ? formatInstant(each.to, zone()) : says.untilEnded,
          each.peIds ? `${each.pes} (${each.nodes ?? each.peIds})` : String(each.pes),
          bdi(each.reason),
          links(each.moved),
          links(each.failed),
          !each.endedAt && h("button", { type: "button", class: "harm", onclick: () => end(id, each.id) }, says.end),
        ])));
  }

  /** @param {string[]} ids */
  function links(ids) {
    return ids.length === 0 ? "–" : h("span", null, ids.slice(0, 10).map((id, i) => [i > 0 && ", ", h("a", { href: address("reservation", { id }) }, id.slice(-6))]));
  }

  /** @param {string} cluster @param {string} id */
  async function end(cluster, id) {
    if (await ask(says.endAsk, says.end, says.no)) {
      try {
        await api.del(`/clusters/${cluster}/outages/${id}`);
        replace(said);
        await read();
      } catch (problem) {
        replace(said, failed(problem));
      }
    }
  }

  api.all("/clusters", {}, 500).then((all) => {
    const own = all.filter((each) => !each.peer).map((each) => each.id);
    const wanted = params().get("cluster") ?? own[0];
    replace(choice.input, own.map((id) => h("option", { value: id, selected: id === wanted }, id)));
    plan = planner(context, own, (_, effects, outage) => {
      if (!effects && outage) {
        read();
      }
    });
    replace(tools, plan.node);
    return read();
  }).catch((problem) => replace(list, failed(problem)));
}
