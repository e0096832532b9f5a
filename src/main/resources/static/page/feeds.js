// @ts-check
import { ask } from "./ask.js";
import { announce, bdi, h, replace } from "./dom.js";
import { texts } from "./texts.js";
import { formatInstant } from "./time.js";

const says = texts.feeds;

/**
 * Returns the addresses at which calendar programs read what the account has reserved; each is shown once, when it is made.
 * @param {import("./main.js").Context} context
 */
export function feeds({ api, account, zone }) {
  const path = `/accounts/${encodeURIComponent(account.name)}/feeds`;
  const list = h("div");
  const said = h("div", { "aria-live": "polite" });
  const make = h("button", { type: "button", onclick: () => after(api.post(path, {})) }, says.make);
  const all = h("details", { class: "panel" }, h("summary", null, says.title), h("p", null, says.what), said, list, h("p", null, make));
  all.addEventListener("toggle", () => {
    if (all.open) {
      read();
    }
  });
  return all;

  /** @param {Promise<any>} done */
  async function after(done) {
    try {
      const { body } = await done;
      replace(said, body && shown(new URL(body.path, location.origin).href));
    } catch (problem) {
      replace(said, failed(problem));
    }
    read();
  }

  /** @param {string} url */
  function shown(url) {
    const field = h("input", { readonly: true, value: url, "aria-label": says.address });
    const copy = h("button", { type: "button", onclick: async () => {
      field.select();
      await navigator.clipboard?.writeText(url).catch(() => {});
      announce(says.copied);
      copy.textContent = says.copied;
    } }, says.copy);
    return h("div", null, h("p", null, says.once), h("p", { class: "row" }, field, copy));
  }

  /** @param {unknown} problem */
  function failed(problem) {
    return h("p", { class: "problem" }, String(/** @type {any} */ (problem).message));
  }

  function read() {
    api.get(path).then(({ body }) => show(body.items), (problem) => replace(list, failed(problem)));
  }

  /** @param {any[]} items */
  function show(items) {
    replace(list, items.length > 0 && h("ul", null, items.map((each) => {
      const name = formatInstant(each.createdAt, zone());
      const alone = [each.cluster, each.project].filter(Boolean).map((of) => h("span", null, bdi(of)));
      return h("li", { class: "row" }, h("span", null, says.made(name)), alone, h("button", { type: "button", class: "harm", "aria-label": `${says.revoke}: ${name}`, onclick: async () => {
        if (await ask(says.revokeAsk(name), says.revoke, says.keep)) {
          after(api.del(`${path}/${each.id}`));
        }
      } }, says.revoke));
    })));
  }
}
