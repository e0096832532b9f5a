// @ts-check
import { api, Problem } from "./api.js";
import { announce, h, liveRegion, replace } from "./dom.js";
import { texts } from "./texts.js";
import { zoneLabel } from "./time.js";
import { address, change, go, params, view } from "./url.js";

/**
 * @typedef {import("./time.js").Zone} Zone
 * @typedef {{
 *   api: import("./api.js").Api,
 *   session: import("./api.js").Session,
 *   account: {name: string, role: "ADMIN" | "CLIENT" | "VIEWER"},
 *   zone: () => Zone,
 * }} Context
 * @typedef {{update?: (params: URLSearchParams) => void, unmount?: () => void}} View
 * @typedef {{mount: (root: HTMLElement, context: Context) => View}} Module
 */

const TOKEN = "berth.token";

/** @type {Record<string, {roles: string[], load: () => Promise<Module>, shown?: boolean}>} */
const VIEWS = {
  find: { roles: ["CLIENT", "ADMIN"], load: () => import("./find.js"), shown: true },
  mine: { roles: ["CLIENT", "ADMIN"], load: () => import("./mine.js"), shown: true },
  reservation: { roles: ["CLIENT", "ADMIN"], load: () => import("./reservation.js") },
  plan: { roles: ["ADMIN", "VIEWER", "CLIENT"], load: () => import("./plan.js"), shown: true },
  run: { roles: ["ADMIN"], load: () => import("./run.js"), shown: true },
  wall: { roles: ["ADMIN", "VIEWER"], load: () => import("./wall.js"), shown: true },
};

/** @type {Context | null} */
let context = null;
/** @type {View | null} */
let mounted = null;
let mountedName = "";
let why = "";

const bar = h("header");
const main = h("main", { id: "main", tabindex: -1 });
document.body.append(bar, main, liveRegion());

/** @type {import("./api.js").Session} */
const session = {
  token: () => sessionStorage.getItem(TOKEN),
  end(reason) {
    if (!context) {
      return;
    }
    sessionStorage.removeItem(TOKEN);
    why = reason;
    context = null;
    show();
  },
};

const calls = api(session);

/** @returns {Zone} */
function zone() {
  return params().get("zone") === "UTC" ? "UTC" : "local";
}

/** @param {string} token */
async function signIn(token) {
  sessionStorage.setItem(TOKEN, token);
  try {
    const { body } = await calls.get("/me");
    context = { api: calls, session, account: body, zone };
    why = "";
  } catch (problem) {
    sessionStorage.removeItem(TOKEN);
    throw problem;
  }
}

function leave() {
  mounted?.unmount?.();
  mounted = null;
  mountedName = "";
}

function signOut() {
  session.end("signed-out");
}

/** @param {string} current */
function showBar(current) {
  const role = context?.account.role ?? "";
  const links = Object.entries(VIEWS)
    .filter(([, each]) => each.shown && each.roles.includes(role))
    .map(([name]) => {
      const to = address(name, params().get("zone") ? { zone: params().get("zone") } : {});
      return h("li", null, h("a", { href: to, "aria-current": name === current ? "page" : null }, texts.views[name]));
    });
  const choice = h(
    "select",
    {
      "aria-label": texts.shell.zone,
      onchange: (/** @type {Event} */ event) =>
        change({ zone: /** @type {HTMLSelectElement} */ (event.target).value }, { replace: true }),
    },
    /** @type {Zone[]} */ (["local", "UTC"]).map((each) =>
      h("option", { value: each, selected: each === zone() }, each === "UTC" ? "UTC" : texts.shell.local(zoneLabel("local"))),
    ),
  );
  replace(
    bar,
    h("span", { class: "brand" }, texts.shell.name),
    context && h("nav", { "aria-label": texts.shell.views }, h("ul", null, links)),
    h(
      "div",
      { class: "end" },
      choice,
      context && h("span", { class: "muted" }, texts.shell.who(context.account.name)),
      context && h("button", { type: "button", onclick: signOut }, texts.shell.signOut),
    ),
  );
}

async function show() {
  const name = view();
  if (!context) {
    leave();
    showBar("");
    const { mount } = await import("./signin.js");
    mount(main, { api: calls, signIn: (token) => signIn(token).then(show), why });
    document.title = texts.shell.name;
    return;
  }
  const found = VIEWS[name];
  if (!found || !found.roles.includes(context.account.role)) {
    go(context.account.role === "VIEWER" ? "plan" : context.account.role === "ADMIN" ? "plan" : "find");
    return;
  }
  showBar(name);
  if (name === mountedName) {
    mounted?.update?.(params());
    return;
  }
  leave();
  mountedName = name;
  document.title = `${texts.views[name]} – ${texts.shell.name}`;
  const { mount } = await found.load();
  if (mountedName === name && context) {
    replace(main);
    mounted = mount(main, context);
    announce(texts.views[name]);
  }
}

addEventListener("hashchange", show);

const kept = session.token();
if (kept) {
  signIn(kept).then(show, (problem) => {
    why = problem instanceof Problem && problem.status === 401 ? "expired" : "unreachable";
    show();
  });
} else {
  import("./signin.js").then(({ returned }) => returned(calls)).then(
    (token) => (token ? signIn(token) : undefined),
  ).catch(() => {
    why = "refused";
  }).finally(show);
}

