import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Offer } from "./demo.js";
import { loadScript } from "./document.js";
import { bound, Failed, Field, html } from "./ui.js";

/** @typedef {import("./api.js").Api} Api */

/**
 * Returns the client of the token issuer, or null if none is set.
 * @param {any} body what the service says of itself
 */
async function issuer(body) {
  if (!body.signIn) {
    return null;
  }
  await loadScript("page/lib/oidc-client-ts-3.5.0.min.js");
  const { InMemoryWebStorage, UserManager, WebStorageStateStore } = /** @type {any} */ (window).oidc;
  return new UserManager({
    authority: body.signIn.issuer,
    client_id: body.signIn.clientId,
    redirect_uri: `${location.origin}/`,
    response_type: "code",
    scope: "openid",
    // only for renewals: the session is in a cookie
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // tokens are renewed below, by a refresh token: the page allows no frames
    automaticSilentRenew: false,
  });
}

/** Set while the person of this browser signs in at the issuer, which then need not be chosen again. */
export const CHOSEN = "berth.issuer";

/**
 * Returns the token that the issuer has just returned, if it has. With a refresh token, it also renews the token before it expires.
 * @param {Api} api
 * @param {import("./api.js").Session} session
 * @returns {Promise<string | null>}
 */
export async function issued(api, session) {
  const asked = new URLSearchParams(location.search);
  if (!asked.has("state")) {
    return null;
  }
  history.replaceState(null, "", location.pathname + location.hash);
  // not again if this fails
  localStorage.removeItem(CHOSEN);
  const manager = await issuer((await api.get("")).body);
  const user = await manager?.signinCallback(`${location.origin}/?${asked}`);
  if (!user) {
    return null;
  }
  history.replaceState(null, "", location.pathname + (user.state ?? ""));
  localStorage.setItem(CHOSEN, "true");
  manager.events.addAccessTokenExpiring(async () => {
    if ((await manager.getUser())?.refresh_token) {
      // if this fails, the next call returns 401
      await manager.signinSilent().then((/** @type {any} */ renewed) => session.adopt(renewed.access_token)).catch(() => {});
    }
  });
  return user.access_token;
}

/** Why somebody is to sign in. @type {Record<string, string>} */
const WHY = {
  expired: "Your session has ended. Sign in again to return to this view.",
  "signed-out": "You are signed out.",
  unreachable: "The service does not answer. Try again in a moment.",
  refused: "The token issuer did not sign you in.",
  rejected: "The token issuer signed you in, but the service does not accept its token. Ask your administrator.",
};

/**
 * The form to sign in.
 * @param {{api: Api, signIn: (token: string) => Promise<void>, why: string}} its
 */
export function View({ api, signIn, why }) {
  const token = useSignal("");
  const error = useSignal("");
  const isDemo = useSignal(false);
  const manager = useSignal(/** @type {any} */ (null));
  const isIssuerAway = useSignal(false);
  const input = useRef(/** @type {any} */ (null));
  useEffect(() => {
    // another service may have taken the place of a demo
    localStorage.removeItem("berth.demo");
    input.current.focus();
    api.get("").then(({ body }) => {
      isDemo.value = Boolean(body.demo);
      return issuer(body);
    }).then((found) => {
      manager.value = found;
      if (found && localStorage.getItem(CHOSEN)) {
        leave();
      }
    }).catch(() => {
      isIssuerAway.value = true;
    });
  }, []);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      error.value = token.value.trim() ? "" : "Enter a token.";
      if (!error.value) {
        await signIn(token.value.trim());
      }
    } catch (problem) {
      const { status, message } = /** @type {any} */ (problem);
      error.value = status === 401 ? "The service does not know this token. Check that you copied all of it." : message;
    }
    input.current?.focus();
  };
  const leave = () => manager.value.signinRedirect({ state: location.hash }).catch(() => {
    isIssuerAway.value = true;
  });
  return html`
    <div class="panel">
      <h1>Sign in</h1>
      ${isDemo.value && html`<${Offer} signIn=${signIn} />`}
      ${WHY[why] && html`<p class="note" role="status">${WHY[why]}</p>`}
      <form onsubmit=${submit}>
        <${Field} label="Token" hint="Your administrator has given it to you. This browser then stays signed in for a week, or until you sign out." error=${error.value}>
          <input type="password" autocomplete="off" spellcheck="false" ref=${input} ...${bound(token)} />
        <//>
        <button class="first">Sign in</button>
      </form>
      ${manager.value && html`<h2>Or</h2><button type="button" onclick=${leave}>Sign in with your organisation</button>`}
      <${Failed} why=${isIssuerAway.value && "The token issuer does not answer. You can sign in with a token."} />
    </div>`;
}
