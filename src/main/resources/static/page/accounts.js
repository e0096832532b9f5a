import { ask, bdi, failed, field, h, replace, roleOf, secret, select, table } from "./dom.js";
import { patchTo, read as pairsOf, written } from "./pairs.js";
import { texts } from "./texts.js";

const says = texts.run;

/**
 * Shows the accounts. A token appears once, when it is made.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 */
export function accounts(root, { api, session, account }) {
  const list = h("div");
  const said = h("div", { "aria-live": "polite" });
  const tokens = h("div", { "aria-live": "polite" });
  const name = field(says.name, h("input", { name: "new-name", autocomplete: "off" }));
  const role = field(says.role, select([["CLIENT", "CLIENT"], ["VIEWER", "VIEWER"], ["ADMIN", "ADMIN"], ["AGENT", "AGENT"]], "CLIENT", {
    name: "new-role",
    onchange: () => {
      cluster.node.hidden = role.input.value !== "AGENT";
    },
  }));
  const cluster = field(says.agentOf, h("input", { name: "new-cluster", autocomplete: "off" }));
  cluster.node.hidden = true;
  replace(
    root,
    tokens,
    said,
    h("section", { class: "panel" }, h("h2", null, says.accounts), list),
    h("form", { class: "panel", onsubmit: create }, h("h2", null, says.newAccount), h("div", { class: "row" }, name.node, role.node, cluster.node), h("button", { class: "first" }, says.create)),
  );

  /** @param {any} body */
  function showToken({ name: whose, token }) {
    tokens.prepend(secret(says.token(whose), says.tokenOnce(whose), token));
    tokens.scrollIntoView({ block: "nearest" });
  }

  /** @param {Event} event */
  async function create(event) {
    event.preventDefault();
    name.error("");
    try {
      const { body } = await api.post("/accounts", {
        name: name.input.value.trim(),
        role: role.input.value,
        ...(role.input.value === "AGENT" && { cluster: cluster.input.value.trim() }),
      });
      name.input.value = "";
      showToken(body);
    } catch (problem) {
      name.error(String(/** @type {any} */ (problem).message));
      return;
    }
    read();
  }

  /** @param {Promise<any>} done */
  async function after(done) {
    try {
      const answer = await done;
      replace(said);
      if (answer.body?.token) {
        if (answer.body.name === account.name) {
          session.adopt(answer.body.token);
        }
        showToken(answer.body);
      }
    } catch (problem) {
      replace(said, failed(problem));
    }
    read();
  }

  function read() {
    return api.all("/accounts", {}, 2000).then(show, (problem) => replace(list, failed(problem)));
  }

  /** @param {any[]} all */
  function show(all) {
    const unlimited = all.filter(({ role: its, limits }) =>
      its === "CLIENT" && !["activeReservations", "pes", "peHours"].some((limit) => typeof limits?.[limit] === "number"));
    const warning = unlimited.length > 0 && h("p", null, says.unlimited(unlimited.map((each) => each.name).join(", ")));
    replace(list, warning, table(says.accounts, [says.name, says.role, says.serviceClass, says.priority, says.limits, says.actions], all.map((each) => {
      const path = `/accounts/${encodeURIComponent(each.name)}`;
      const limits = Object.entries(each.limits ?? {}).filter(([, limit]) => limit !== null);
      const limited = h("input", { name: `limits-${each.name}`, value: written(limits), placeholder: says.none, "aria-label": `${says.limits}: ${each.name}` });
      limited.addEventListener("change", () => {
        const pairs = pairsOf(limited.value);
        limited.setAttribute("aria-invalid", String(!pairs));
        if (!pairs) {
          replace(said, failed(says.pairsWrong(says.limits)));
          return;
        }
        const number = (/** @type {string} */ text) => (Number.isNaN(Number(text)) ? text : Number(text));
        after(api.patch(path, { limits: patchTo(each.limits, pairs.map(([key, limit]) => [key, number(limit)])) }));
      });
      const roles = roleOf(each.name, [["CLIENT", "CLIENT"], ["VIEWER", "VIEWER"], ["ADMIN", "ADMIN"]], each.role,
        (wanted) => after(api.patch(path, { role: wanted, cluster: null })), each.name === account.name);
      return [
        bdi(each.name),
        each.cluster ? h("span", { class: "row" }, roles, bdi(each.cluster)) : roles,
        each.serviceClass ?? "",
        String(each.priority ?? ""),
        limited,
        h("span", { class: "row" },
          h("button", { type: "button", onclick: async () => {
            if (await ask(says.newTokenAsk(each.name), says.newToken, says.no)) {
              after(api.post(`${path}/token`, undefined, {}));
            }
          } }, says.newToken),
          each.name !== account.name && h("button", { type: "button", class: "harm", onclick: async () => {
            if (await ask(says.removeAsk(each.name), says.remove, says.no)) {
              after(api.del(path));
            }
          } }, says.remove)),
      ];
    })));
  }

  read();
}

