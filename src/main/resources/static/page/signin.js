// @ts-check
import { field, h, loadScript, replace } from "./dom.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Api} Api */

const says = texts.signIn;

/**
 * Returns the way to the issuer of tokens, where one is set.
 * @param {Api} api
 */
async function issuer(api) {
  const { body } = await api.get("");
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
    automaticSilentRenew: false,
  });
}

/**
 * Returns the token with which the issuer has sent the browser back; null: it has not.
 * @param {Api} api
 * @returns {Promise<string | null>}
 */
export async function returned(api) {
  const asked = new URLSearchParams(location.search);
  if (!asked.has("state")) {
    return null;
  }
  history.replaceState(null, "", location.pathname + location.hash);
  const manager = await issuer(api);
  const user = await manager?.signinCallback(`${location.origin}/?${asked}`);
  return user?.access_token ?? null;
}

/**
 * Shows how to sign in.
 * @param {HTMLElement} root
 * @param {{api: Api, signIn: (token: string) => Promise<void>, why: string}} context
 */
export function mount(root, { api, signIn, why }) {
  const token = field(says.token, h("input", { type: "password", autocomplete: "off", spellcheck: "false" }), says.tokenHint);
  const other = h("div");

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
      reason && h("p", { class: "note", role: "status" }, reason),
      h("form", { onsubmit: submit }, token.node, h("button", { class: "first" }, says.submit)),
      other,
    ),
  );
  token.input.focus();
  issuer(api).then(
    (manager) => {
      if (manager) {
        const leave = () => manager.signinRedirect();
        replace(other, h("h2", null, says.or), h("button", { type: "button", onclick: leave }, says.issuer));
      }
    },
    () => replace(other, h("p", { class: "problem" }, says.noIssuer)),
  );
}
