import { failed, field, h, loadScript, replace } from "./dom.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Api} Api */

const says = texts.signIn;

/**
 * Returns the client of the token issuer, or null if none is set.
 * @param {any} body what the service says of itself
 */
async function issuer(body) {
  if (!body.signIn) {
    return null;
  }
  await loadScript("page/lib/oidc-client-ts-3.5.0.min.js");
  const { UserManager, WebStorageStateStore } = /** @type {any} */ (window).oidc;
  return new UserManager({
    authority: body.signIn.issuer,
    client_id: body.signIn.clientId,
    redirect_uri: `${location.origin}/`,
    response_type: "code",
    scope: "openid",
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // tokens are renewed below, by a refresh token: the page allows no frames
    automaticSilentRenew: false,
  });
}

/**
 * Returns the issuer's token, if it has returned one now or before, and a function to sign out. With a refresh token, it also
 * renews the token before it expires.
 * @param {Api} api
 * @param {import("./api.js").Session} session
 * @returns {Promise<{token: string, leave: () => void} | null>}
 */
export async function kept(api, session) {
  const asked = new URLSearchParams(location.search);
  const isReturned = asked.has("state");
  if (!isReturned && !Object.keys(sessionStorage).some((key) => key.startsWith("oidc.user:"))) {
    return null;
  }
  if (isReturned) {
    history.replaceState(null, "", location.pathname + location.hash);
  }
  const manager = await issuer((await api.get("")).body);
  const renew = async () => {
    const user = await manager.signinSilent();
    session.adopt(user.access_token);
    return user;
  };
  let user = isReturned ? await manager?.signinCallback(`${location.origin}/?${asked}`) : await manager?.getUser();
  if (isReturned && user?.state) {
    history.replaceState(null, "", location.pathname + user.state);
  }
  if (user?.expired) {
    user = user.refresh_token ? await renew().catch(() => null) : null;
  }
  if (!user) {
    await manager?.removeUser();
    return null;
  }
  manager.events.addAccessTokenExpiring(async () => {
    if ((await manager.getUser())?.refresh_token) {
      // if this fails, the next call returns 401
      await renew().catch(() => {});
    }
  });
  return { token: user.access_token, leave: () => manager.removeUser() };
}

/**
 * Shows the form to sign in.
 * @param {HTMLElement} root
 * @param {{api: Api, signIn: (token: string) => Promise<void>, why: string}} context
 */
export function mount(root, { api, signIn, why }) {
  const token = field(says.token, h("input", { type: "password", autocomplete: "off", spellcheck: "false" }), says.tokenHint);
  const other = h("div");
  const demo = h("div");
  // another service may have taken the place of a demo
  sessionStorage.removeItem("berth.demo");

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    const given = token.input.value.trim();
    if (!given) {
      token.error(says.noToken);
      token.input.focus();
      return;
    }
    try {
      await signIn(given);
    } catch (problem) {
      const status = /** @type {any} */ (problem).status;
      token.error(status === 401 ? says.unknown : String(/** @type {any} */ (problem).message));
      token.input.focus();
    }
  }

  const reason = says.why[why];
  replace(
    root,
    h(
      "div",
      { class: "panel" },
      h("h1", null, says.title),
      demo,
      reason && h("p", { class: "note", role: "status" }, reason),
      h("form", { onsubmit: submit }, token.node, h("button", { class: "first" }, says.submit)),
      other,
    ),
  );
  token.input.focus();
  api.get("").then(async ({ body }) => {
    if (body.demo) {
      replace(demo, await (await import("./demo.js")).offer(signIn));
    }
    return issuer(body);
  }).then(
    (manager) => {
      if (manager) {
        const leave = () => manager.signinRedirect({ state: location.hash }).catch(() => replace(other, failed(says.noIssuer)));
        replace(other, h("h2", null, says.or), h("button", { type: "button", onclick: leave }, says.issuer));
      }
    },
    () => replace(other, failed(says.noIssuer)),
  );
}
