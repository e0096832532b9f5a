import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Offer } from "./demo.js";
import { loadScript } from "./dom.js";
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

/** Why somebody is to sign in. @type {Record<string, string>} */
const WHY = {
  expired: "Your token is no longer valid. Sign in again to return to this view.",
  "signed-out": "You are signed out.",
  unreachable: "The service does not answer. Try again in a moment.",
  refused: "The token issuer did not sign you in.",
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
    sessionStorage.removeItem("berth.demo");
    input.current.focus();
    api.get("").then(({ body }) => {
      isDemo.value = Boolean(body.demo);
      return issuer(body);
    }).then((found) => {
      manager.value = found;
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
        <${Field} label="Token" hint="Your administrator has given it to you. This tab keeps it until you close it or sign out." error=${error.value}>
          <input type="password" autocomplete="off" spellcheck="false" ref=${input} ...${bound(token)} />
        <//>
        <button class="first">Sign in</button>
      </form>
      ${manager.value && html`<h2>Or</h2><button type="button" onclick=${leave}>Sign in with your organisation</button>`}
      <${Failed} why=${isIssuerAway.value && "The token issuer does not answer. You can sign in with a token."} />
    </div>`;
}
