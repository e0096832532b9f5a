import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CHOSEN } from "./api.js";
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
    scope: body.signIn.scope,
    // only for renewals: the session is in a cookie
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // tokens are renewed below, by a refresh token: the page allows no frames
    automaticSilentRenew: false,
  });
}

/**
 * Returns the token that the issuer has just returned; null if it refuses. With a refresh token, it also renews the token before it expires.
 * @param {Api} api
 * @param {import("./api.js").Session} session
 * @returns {Promise<string | null>}
 */
export async function issued(api, session) {
  const asked = new URLSearchParams(location.search);
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
  refused: "Your organisation did not sign you in.",
  rejected: "Your organisation has signed you in, but this service does not let you in. Perhaps you have no account here. Ask its administrator: the service's log says why.",
};

/**
 * The form to sign in. Most people of a service with an issuer have no token of their own, so the issuer comes first.
 * @param {{api: Api, signIn: (token: string) => Promise<void>, why: string, code?: string}} its
 */
export function View({ api, signIn, why, code }) {
  const token = useSignal("");
  const error = useSignal("");
  const service = useSignal(/** @type {any} */ (null));
  const isIssuerAway = useSignal(false);
  const input = useRef(/** @type {any} */ (null));
  const button = useRef(/** @type {any} */ (null));
  const leave = () => issuer(service.value).then((manager) => manager.signinRedirect({ state: location.hash })).catch(() => {
    isIssuerAway.value = true;
  });
  useEffect(() => {
    // another service may have taken the place of a demo
    localStorage.removeItem("berth.demo");
    api.get("").then(({ body }) => body, () => ({})).then((body) => {
      service.value = body;
      if (body.signIn && localStorage.getItem(CHOSEN)) {
        leave();
      }
    });
  }, []);
  useEffect(() => {
    (button.current ?? input.current)?.focus();
  }, [service.value]);
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
  const at = service.value?.signIn;
  return service.value && html`
    <div class="panel">
      <h1>Sign in</h1>
      ${service.value.demo && html`<${Offer} signIn=${signIn} />`}
      ${WHY[why] && html`<p class="note" role="status">${WHY[why]}${code && ` It returned the error ${code}.`}</p>`}
      ${at && html`
        <button type="button" class="first" ref=${button} onclick=${leave}>Sign in with your organisation</button>
        <${Failed} why=${isIssuerAway.value && "Your organisation's sign-in does not answer. You can sign in with a token."} />
        <h2>Or with a token</h2>`}
      <form onsubmit=${submit}>
        <${Field} label="Token" hint="Your administrator has given it to you. This browser then stays signed in for a week, or until you sign out." error=${error.value}>
          <input type="password" autocomplete="off" spellcheck="false" ref=${input} ...${bound(token)} />
        <//>
        <button class=${at ? "" : "first"}>Sign in</button>
      </form>
    </div>`;
}
