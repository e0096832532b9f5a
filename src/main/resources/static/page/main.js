import { api, Problem } from "./api.js";
import { h, liveRegion, replace } from "./dom.js";
import { texts } from "./texts.js";
import { zoneLabel } from "./time.js";
import { address, change, go, params, view } from "./url.js";

/**
 * @typedef {import("./time.js").Zone} Zone
 * @typedef {{
 *   api: import("./api.js").Api,
 *   session: import("./api.js").Session,
 *   account: {name: string, role: "ADMIN" | "CLIENT" | "VIEWER" | "AGENT"},
 *   zone: () => Zone,
 * }} Context
 * @typedef {{update?: (params: URLSearchParams) => void, rezone?: () => void, unmount?: () => void}} View
 *   rezone: shows times in another zone; a view without it is mounted again
 * @typedef {{mount: (root: HTMLElement, context: Context) => View}} Module
 */

const TOKEN = "berth.token";

/** @type {Record<string, {roles: string[], load: () => Promise<Module>, shown?: boolean}>} */
const VIEWS = {
  find: { roles: ["CLIENT", "ADMIN"], load: () => import("./find.js"), shown: true },
  mine: { roles: ["CLIENT", "ADMIN"], load: () => import("./mine.js"), shown: true },
  reservation: { roles: ["CLIENT", "ADMIN"], load: () => import("./reservation.js") },
  series: { roles: ["CLIENT", "ADMIN"], load: () => import("./series.js") },
  projects: { roles: ["CLIENT", "ADMIN"], load: () => import("./projects.js"), shown: true },
  plan: { roles: ["ADMIN", "VIEWER", "CLIENT"], load: () => import("./plan.js"), shown: true },
  run: { roles: ["ADMIN"], load: () => import("./run.js"), shown: true },
  wall: { roles: ["ADMIN", "VIEWER"], load: () => import("./wall.js"), shown: true },
};

/** @type {Context | null} */
let context = null;
/** @type {View | null} */
let mounted = null;
let mountedName = "";
/** @type {Zone} */
let mountedZone = "local";
let why = "";
/** Whether a cluster shows its plan to this account. */
let isPlanSeen = true;
/** Ends the session with the issuer of tokens, if there is one. */
let leaveIssuer = () => {};

const bar = h("header");
const main = h("main", { id: "main", tabindex: -1 });
const strip = h("div");
document.body.append(bar, strip, main, liveRegion());

/** @type {import("./api.js").Session} */
const session = {
  token: () => sessionStorage.getItem(TOKEN),
  adopt: (token) => sessionStorage.setItem(TOKEN, token),
  end(reason) {
    if (!context) {
      return;
    }
    sessionStorage.removeItem(TOKEN);
    leaveIssuer();
    why = reason;
    context = null;
    replace(strip);
    show().catch(showFailure);
  },
};

const calls = api(session);

/** @returns {Zone} */
function zone() {
  return params().get("zone") === "UTC" ? "UTC" : "local";
}

/** @param {string} token */
async function signIn(token) {
  session.adopt(token);
  try {
    const { body } = await calls.get("/me");
    if (body.role === "AGENT") {
      sessionStorage.removeItem(TOKEN);
      throw new Error(texts.signIn.agents);
    }
    isPlanSeen = body.role !== "CLIENT"
      || (await calls.all("/clusters", {}, 500)).some((each) => ["BUSY", "NAMES"].includes(each.policy?.visibility));
    context = { api: calls, session, account: body, zone };
    if (sessionStorage.getItem("berth.demo")) {
      replace(strip, (await import("./demo.js")).banner(body.role));
    }
    why = "";
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 401) {
      sessionStorage.removeItem(TOKEN);
    }
    throw problem;
  }
}

function leave() {
  mounted?.unmount?.();
  mounted = null;
  mountedName = "";
}

/** @param {string} current */
function showBar(current) {
  const role = context?.account.role ?? "";
  const links = Object.entries(VIEWS)
    .filter(([name, each]) => each.shown && each.roles.includes(role) && (name !== "plan" || isPlanSeen))
    .map(([name]) => h("li", null, h("a", { href: address(name), "aria-current": name === current ? "page" : null }, texts.views[name])));
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
      context && h("span", { class: "muted" }, h("span", { class: "wide-only" }, texts.shell.who), context.account.name),
      context && h("button", { type: "button", onclick: () => session.end("signed-out") }, texts.shell.signOut),
    ),
  );
}

/** Shows that something could not be loaded. @param {unknown} problem */
function showFailure(problem) {
  leave();
  showBar("");
  // a browser may remember until a reload that a module failed to load
  const again = () => location.reload();
  replace(main, h("div", { class: "panel" },
    h("h1", null, texts.shell.failed),
    h("p", { class: "problem", role: "alert" }, problem instanceof Problem ? problem.message : texts.shell.notLoaded),
    h("button", { type: "button", class: "first", onclick: again }, texts.shell.again)));
}

async function show() {
  const name = view();
  if (!context) {
    leave();
    showBar("");
    const { mount } = await import("./signin.js");
    mount(main, { api: calls, signIn: (token) => signIn(token).then(() => void show().catch(showFailure)), why });
    document.title = texts.shell.name;
    return;
  }
  const found = VIEWS[name];
  if (!found || !found.roles.includes(context.account.role)) {
    go(context.account.role === "CLIENT" ? "find" : "plan");
    return;
  }
  showBar(name);
  if (name === mountedName) {
    if (mountedZone === zone()) {
      mounted?.update?.(params());
      return;
    }
    if (mounted?.rezone) {
      mountedZone = zone();
      mounted.rezone();
      return;
    }
  }
  const isNavigation = mountedName !== "" && mountedName !== name;
  leave();
  mountedName = name;
  mountedZone = zone();
  document.title = `${texts.views[name]} – ${texts.shell.name}`;
  const { mount } = await found.load();
  if (mountedName === name && context) {
    mounted?.unmount?.();
    replace(main);
    mounted = mount(main, context);
    if (isNavigation) {
      const title = main.querySelector("h1");
      title?.setAttribute("tabindex", "-1");
      title?.focus();
    }
  }
}

/** Signs in with the stored token, or with the one that the issuer returned. */
async function begin() {
  const { kept } = await import("./signin.js");
  const issued = await kept(calls, session).catch(() => {
    why = "refused";
    return null;
  });
  leaveIssuer = issued?.leave ?? leaveIssuer;
  const token = issued?.token ?? session.token();
  if (token) {
    await signIn(token).catch((problem) => {
      if (problem.status !== 401) {
        throw problem;
      }
      why = "expired";
      leaveIssuer();
    });
  }
  await show();
}

addEventListener("hashchange", () => show().catch(showFailure));
// folded details are printed as well
addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach((each) => {
  each.setAttribute("open", "");
  addEventListener("afterprint", () => each.removeAttribute("open"), { once: true });
}));
begin().catch(showFailure);
