import { useSignal } from "@preact/signals";
import { Failed, html, useChange } from "./ui.js";
import { params } from "./url.js";

/** What the kinds of mail are about. @type {Record<string, string>} */
const ABOUT = {
  CONFIRMED: "confirmed and changed reservations",
  MOVED: "moved reservations and proposals",
  STARTS_SOON: "starts of reservations",
  ENDS_SOON: "ends of reservations",
  NOT_IN_PLACE: "reservations that are not in place",
  FAILED: "reservations that are cancelled, fail or lose PEs",
  APPROVAL: "approvals",
  SERIES_REFUSED: "refused occurrences of series",
  BUDGET_LOW: "budgets that run low",
};

/**
 * The page of a link in a mail, for people who need not be signed in. Only the button changes something: programs that look through mail
 * open every link.
 * @param {{api: import("./api.js").Api}} its
 */
export function View({ api }) {
  const change = useChange();
  const done = useSignal("");
  const [proof, off] = [params().get("proof"), params().get("off")];
  const act = () => change.run(async () => {
    if (proof) {
      const { body } = await api.post("/mail/proof", { token: proof });
      done.value = `Mail for ${body.account} now goes to ${body.address}.`;
    } else {
      const { body } = await api.post(`/mail/off/${encodeURIComponent(off ?? "")}`);
      done.value = `You get no more mail about ${ABOUT[body.kind] ?? "this"}.`;
    }
  });
  const leave = () => {
    location.hash = "#/mail";
    location.reload();
  };
  return html`
    <div class="panel">
      <h1>${proof ? "Is this your address?" : "Less mail"}</h1>
      ${done.value ? html`<p role="status">${done.value}</p><p class="row"><button type="button" onclick=${leave}>Choose what Berth sends</button></p>`
        : html`
          <p>${proof ? "Press the button, and Berth sends the news of your reservations to the address at which you got this link." : "Press the button, and Berth sends you no more mail of this kind."}</p>
          <p class="row"><button type="button" class="first" disabled=${change.isBusy} onclick=${act}>${proof ? "Use this address" : "Switch it off"}</button></p>`}
      <${Failed} why=${change.problem?.document?.detail ?? change.problem} />
    </div>`;
}
