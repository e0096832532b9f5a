import { signal, useSignal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { api, begun, CHOSEN, Problem } from "./api.js";
import { ToApprove } from "./approvals.js";
import { liveRegion } from "./document.js";
import { zoneLabel } from "./time.js";
import { Choice, html, Icon, Skeleton } from "./ui.js";
import { address, change, go, params, sync, view, zone } from "./url.js";

/**
 * @typedef {import("./time.js").Zone} Zone
 * @typedef {{
 *   api: import("./api.js").Api,
 *   session: import("./api.js").Session,
 *   account: {name: string, role: "ADMIN" | "CLIENT" | "VIEWER" | "AGENT" | "SCREEN"},
 *   zone: () => Zone,
 * }} Context
 */

/** Every view: a module with a component `View`. One with a word stands in the bar. */
/** @type {Record<string, {title: string, roles: string[], load: () => Promise<any>, word?: string, icon?: string}>} */
const VIEWS = {
  home: { title: "Home", word: "Home", icon: "house", roles: ["CLIENT"], load: () => import("./home.js") },
  book: { title: "Find a slot", word: "Book", icon: "calendar-plus", roles: ["CLIENT", "ADMIN"], load: () => import("./book.js") },
  reservations: { title: "Reservations", word: "Reservations", icon: "list-checks", roles: ["CLIENT", "ADMIN"], load: () => import("./reservations.js") },
  reservation: { title: "Reservation", roles: ["CLIENT", "ADMIN"], load: () => import("./reservation.js") },
  series: { title: "Series", roles: ["CLIENT", "ADMIN"], load: () => params().has("new") ? import("./series-new.js") : import("./series.js") },
  projects: { title: "Projects", word: "Projects", icon: "folder-kanban", roles: ["CLIENT", "ADMIN"], load: () => import("./projects.js") },
  timeline: { title: "Timeline", word: "Timeline", icon: "chart-gantt", roles: ["ADMIN", "VIEWER", "CLIENT"], load: () => import("./timeline.js") },
  reports: { title: "Reports", word: "Reports", icon: "chart-column", roles: ["ADMIN", "VIEWER", "CLIENT"], load: () => import("./reports.js") },
  admin: { title: "Admin", word: "Admin", icon: "settings", roles: ["ADMIN"], load: () => import("./admin.js") },
  mail: { title: "E-mail", roles: ["CLIENT", "ADMIN"], load: () => import("./mail.js") },
  wall: { title: "Wall", word: "Wall", icon: "monitor", roles: ["ADMIN", "VIEWER", "SCREEN"], load: () => import("./wall.js") },
};

/** The first view of a role. @type {Record<string, string>} */
const FIRST = { CLIENT: "home", ADMIN: "timeline", VIEWER: "reports", SCREEN: "wall" };

/** Where index.html finds what to load before it knows the account. */
const FIRST_VIEW = "berth.first";

/** Former names of views, which links may have. @type {Record<string, string>} */
const FORMER = { find: "book", mine: "reservations", plan: "timeline", run: "admin" };

/** @type {import("@preact/signals").Signal<{is: "starting"} | {is: "failed", problem: unknown} | {is: "signed-out", why: string, code?: string} | {is: "mailed"} | {is: "signed-in", context: Context, isPlanSeen: boolean, isReportSeen: boolean, mayApprove: boolean}>} */
const stage = signal({ is: "starting" });

/** How many tokens were adopted. */
let turn = 0;
/** @type {Promise<unknown>} */
let adopted = Promise.resolve();

/** The other tabs of this browser, which share the session. A message is the name of the account, or empty after signing out. */
const tabs = new BroadcastChannel("berth");
tabs.addEventListener("message", ({ data }) => {
  const now = stage.peek();
  if (data !== (now.is === "signed-in" ? now.context.account.name : "")) {
    location.reload();
  }
});

/** @type {import("./api.js").Session} */
const session = {
  ready: () => adopted.catch(() => {}).then(() => turn),
  turn: () => turn,
  async adopt(token) {
    turn += 1;
    begun.clear();
    adopted = calls.post("/session", undefined, { token });
    await adopted;
  },
  end(why) {
    if (stage.peek().is === "signed-in") {
      stage.value = { is: "signed-out", why };
    }
  },
};

const calls = api(session);

const NO_PERSON = "This token belongs to an agent or to a screen. Sign in with your own token.";

/** Opens the page for the account of the session, and returns its name. */
async function enter() {
  const { body } = await calls.get("/me");
  if (body.role === "AGENT") {
    throw new Error(NO_PERSON);
  }
  const isClient = body.role === "CLIENT";
  const [clusters, projects] = isClient ? await Promise.all([calls.all("/clusters", {}, 500), calls.all("/projects", {}, 500)]) : [[], []];
  begun.clear();
  localStorage.setItem(FIRST_VIEW, FIRST[body.role]);
  const owned = projects.filter((project) => project.members.some((/** @type {any} */ each) => each.account === body.name && each.role === "OWNER"));
  stage.value = {
    is: "signed-in",
    context: { api: calls, session, account: body, zone },
    isPlanSeen: !isClient || clusters.some((each) => ["BUSY", "NAMES"].includes(each.policy?.visibility)),
    isReportSeen: !isClient || owned.length > 0,
    mayApprove: body.role === "ADMIN" || owned.length > 0 || clusters.some((each) => each.policy?.approval?.approvers.includes(body.name)),
  };
  return body.name;
}

/** @param {string} token */
async function signIn(token) {
  try {
    await session.adopt(token);
  } catch (problem) {
    throw problem instanceof Problem && problem.status === 403 ? new Error(NO_PERSON) : problem;
  }
  tabs.postMessage(await enter());
}

async function signOut() {
  localStorage.removeItem(CHOSEN);
  localStorage.removeItem(FIRST_VIEW);
  try {
    await calls.del("/session");
  } catch (problem) {
    if (stage.peek().is === "signed-in") {
      stage.value = { is: "failed", problem };
    }
    return;
  }
  tabs.postMessage("");
  session.end("signed-out");
}

/** Shows the wall to the screen that has the key in the address, in this tab only. @param {string} key */
async function beginScreen(key) {
  const refuse = () => {
    stage.value = { is: "failed", problem: new Problem(401, { title: "This link is no longer valid", detail: "Ask your administrator for a new one." }) };
  };
  /** @type {import("./api.js").Session} */
  const own = { key, ready: async () => 0, turn: () => 0, adopt: async () => {}, end: refuse };
  const screen = api(own);
  try {
    const { body } = await screen.get("/me");
    if (body.role === "SCREEN") {
      stage.value = { is: "signed-in", context: { api: screen, session: own, account: body, zone }, isPlanSeen: false, isReportSeen: false, mayApprove: false };
    } else {
      // an address is no place for the token of a person
      refuse();
    }
  } catch (problem) {
    if (stage.value.is === "starting") {
      throw problem;
    }
  }
}

/** Returns the token with which the issuer has just sent the browser back, if it has. */
async function issued() {
  return new URLSearchParams(location.search).has("state") ? (await import("./signin.js")).issued(calls, session) : null;
}

/** Signs in with the token that the issuer returned, or continues the session. */
async function begin() {
  const key = view() === "wall" && params().get("key");
  if (key) {
    return beginScreen(key);
  }
  if (view() === "mail" && (params().has("proof") || params().has("off"))) {
    stage.value = { is: "mailed" };
    return;
  }
  let why = "";
  let code = "";
  const token = await issued().catch((problem) => {
    why = "refused";
    // anybody can make an address with a text
    code = /^[a-z_]{1,40}$/.test(problem?.error) ? problem.error : "";
    return null;
  });
  sync();
  await (token ? signIn(token) : enter()).catch((problem) => {
    if (token) {
      why = "rejected";
      localStorage.removeItem(CHOSEN);
    }
    if (problem.status !== 401) {
      throw problem;
    }
  });
  if (stage.value.is === "starting") {
    stage.value = { is: "signed-out", why, code };
  }
}

function App() {
  const now = stage.value;
  // a wall has the whole screen
  const isWall = now.is === "signed-in" && view() === "wall";
  const main = useRef(/** @type {any} */ (null));
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault();
    main.current.focus();
  };
  return html`
    ${!isWall && html`<a class="skip" href="#main" onclick=${skip}>Skip to the content</a><${Bar} />`}
    ${now.is === "signed-in" && !isWall && localStorage.getItem("berth.demo") && html`<${Lazy} load=${() => import("./demo.js")} role=${now.context.account.role} />`}
    <main id="main" tabindex="-1" ref=${main}>
      ${now.is === "starting" ? html`<${Skeleton} />`
        : now.is === "failed" ? html`<${Failure} problem=${now.problem} />`
        : now.is === "mailed" ? html`<${Lazy} load=${() => import("./mail-link.js")} api=${calls} />`
        : now.is === "signed-out" ? html`<${Lazy} load=${() => import("./signin.js")} api=${calls} signIn=${signIn} why=${now.why} code=${now.code} />`
        : html`<${Stage} context=${now.context} />`}
    </main>`;
}

function Bar() {
  const now = stage.value;
  const account = now.is === "signed-in" ? now.context.account : null;
  const shown = Object.entries(VIEWS).filter(([name, each]) =>
    each.word && account && each.roles.includes(account.role) && (name !== "timeline" || now.is === "signed-in" && now.isPlanSeen) && (name !== "reports" || now.is === "signed-in" && now.isReportSeen));
  const zones = /** @type {[string, string][]} */ ([["local", `Local time (${zoneLabel("local")})`], ["UTC", "UTC"]]);
  return html`
    <header><div>
      <a class="brand" href=${address("")}>Berth</a>
      ${account && html`<nav aria-label="Views"><ul>${shown.map(([name, each]) => html`
        <li key=${name}><a href=${address(name)} aria-current=${name === view() ? "page" : null}><${Icon} name=${each.icon} />${each.word}</a></li>
        ${name === "reservations" && now.is === "signed-in" && now.mayApprove && html`<${ToApprove} key="approve" api=${now.context.api} />`}`)}</ul></nav>`}
      <div class="end">
        <${Choice} aria-label="Time zone" options=${zones} value=${zone()} onchange=${(/** @type {any} */ { target }) => change({ zone: target.value }, { replace: true })} />
        ${account && html`
          <${Name} account=${account} />
          <button type="button" onclick=${signOut}><${Icon} name="log-out" />Sign out</button>`}
      </div>
    </div></header>`;
}

/** The name of the account, which leads to its mail if it can have some. @param {{account: Context["account"]}} its */
function Name({ account: { name, role } }) {
  const said = html`<span class="unseen">Signed in as </span>${name}`;
  return VIEWS.mail.roles.includes(role)
    ? html`<a class="muted" href=${address("mail")} title="E-mail" aria-current=${view() === "mail" ? "page" : null}>${said}</a>`
    : html`<span class="muted">${said}</span>`;
}

/** The view that the address names, or the first one for the account's role. @param {{context: Context}} its */
function Stage({ context }) {
  const name = FORMER[view()] ?? view();
  const isKnown = VIEWS[name]?.roles.includes(context.account.role);
  const target = isKnown ? name : FIRST[context.account.role];
  useEffect(() => {
    if (target !== view()) {
      go(target, isKnown ? Object.fromEntries([...params().keys()].map((key) => [key, params().getAll(key)])) : {});
    }
    document.title = `${VIEWS[target].title} – Berth`;
  }, [target, view()]);
  return html`<${Lazy} key=${params().has("new") ? `new ${target}` : target} load=${VIEWS[target].load} title=${VIEWS[target].word && VIEWS[target].title} context=${context} />`;
}

let views = 0;

/** A component that is loaded first. @param {{load: () => Promise<any>, title?: string} & Record<string, any>} its title: is shown until then */
function Lazy({ load, title = "", ...its }) {
  const module = useSignal(/** @type {any} */ (null));
  const failure = useSignal(/** @type {unknown} */ (null));
  const [broken] = useErrorBoundary();
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => {
    let isOver = false;
    load().then((loaded) => !isOver && (module.value = loaded), (problem) => !isOver && (failure.value = problem));
    return () => {
      isOver = true;
    };
  }, []);
  const isShown = module.value !== null;
  useEffect(() => {
    if (isShown && its.context && views++ > 0) {
      const heading = box.current?.querySelector("h1");
      heading?.setAttribute("tabindex", "-1");
      heading?.focus();
    }
  }, [isShown]);
  if (failure.value || broken) {
    return html`<${Failure} problem=${failure.value ?? broken} />`;
  }
  return html`<div ref=${box}>${!isShown ? html`${title && html`<h1>${title}</h1>`}<${Skeleton} />`
    : html`<${module.value.View} ...${its} />`}</div>`;
}

/** @param {{problem: unknown}} its */
function Failure({ problem }) {
  return html`
    <div class="panel">
      <h1>That did not work.</h1>
      <p class="problem" role="alert">${problem instanceof Problem ? problem.message : "A part of this page could not be loaded."}</p>
      ${/* a browser may remember until a reload that a module failed to load */""}
      <button type="button" class="first" onclick=${() => location.reload()}>Try again</button>
    </div>`;
}

// folded details are printed as well
addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach((each) => {
  each.setAttribute("open", "");
  addEventListener("afterprint", () => each.removeAttribute("open"), { once: true });
}));

/** Where a pointer was last released. @type {{target: Element, timeStamp: number, x: number, y: number} | null} */
let released = null;
/** The pointer whose click is ignored. @type {number | null} */
let ignored = null;
const partOf = (/** @type {any} */ target) => target.closest?.("button, a, label, summary") ?? target;

// the second click of a double click hits only what the first one hit, not what that has uncovered, moved or opened in its place
for (const type of /** @type {const} */ (["pointerdown", "pointerup", "click"])) {
  addEventListener(type, (event) => {
    const { target, timeStamp, clientX: x, clientY: y, pointerId, pointerType } = /** @type {PointerEvent} */ (event);
    if (type === "pointerdown") {
      const isSecond = released !== null && partOf(target) !== released.target && timeStamp - released.timeStamp < 500
        && Math.hypot(x - released.x, y - released.y) < (pointerType === "touch" ? 16 : 8);
      ignored = isSecond ? pointerId : ignored === pointerId ? null : ignored;
    }
    if (pointerId === ignored) {
      event.preventDefault();
      event.stopPropagation();
    } else if (type === "pointerup") {
      released = { target: partOf(target), timeStamp, x, y };
    }
  }, true);
}

document.body.append(liveRegion());
const root = /** @type {HTMLElement} */ (document.querySelector("#page"));
root.replaceChildren();
render(html`<${App} />`, root);
begin().catch((problem) => {
  stage.value = { is: "failed", problem };
});
