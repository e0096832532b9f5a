import { h } from "./dom.js";
import { texts } from "./texts.js";

const says = texts.demo;

/**
 * Returns buttons that sign in with the accounts of the demo.
 * @param {(token: string) => Promise<void>} signIn
 */
export async function offer(signIn) {
  const response = await fetch("/demo");
  const body = await response.json();
  if (!response.ok) {
    return h("p", { class: "note" }, body.detail);
  }
  return h("div", { class: "demo" },
    h("h2", null, says.title),
    h("p", null, says.about),
    h("div", { class: "row" }, body.accounts.map((/** @type {{name: string, role: string, token: string}} */ account) => h("button", {
      type: "button",
      class: "first",
      onclick: () => {
        sessionStorage.setItem("berth.demo", "true");
        history.replaceState(null, "", says.tasks[account.role][0][0]);
        return signIn(account.token);
      },
    }, says.roles[account.role], h("span", { class: "name" }, account.name)))));
}

/**
 * Returns the strip that says that all data are invented, with tasks for a role.
 * @param {string} role
 */
export function banner(role) {
  return h("aside", { class: "demo", "aria-label": says.title },
    says.invented,
    h("details", null,
      h("summary", null, says.try),
      h("ol", null, says.tasks[role].map(([href, name, task]) => h("li", null, h("a", { href }, name), " ", task)))));
}
