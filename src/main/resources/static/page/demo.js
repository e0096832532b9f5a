import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { speed } from "./time.js";
import { html } from "./ui.js";
import { sync } from "./url.js";

/** @type {Record<string, string>} */
const ROLES = { CLIENT: "Client", ADMIN: "Operator", VIEWER: "Manager" };

/** What to try: the address, its name and what to do there. @type {Record<string, [string, string, string][]>} */
const TASKS = {
  CLIENT: [
    ["#/book?pes=8&duration=2h", "Book", "8 GPUs for two hours. Drag the window, and see the price fall the longer the run may wait."],
    ["#/reservations", "Reservations", "shows an offer of the operator: money for a later deadline. Open that reservation and answer."],
    ["#/projects?id=cryo-em", "Projects", "shows that cryo-em has spent or promised most of its budget. A large run is refused."],
  ],
  ADMIN: [
    ["#/timeline", "Timeline", "shows two weeks of reservations. Wait a minute, and see them change."],
    ["#/timeline?outage=1", "Plan an outage", "of 32 GPUs. Before you record it, Berth names the runs that would move or fail."],
    ["#/reservations", "Reservations", "has a request that waits for 112 GPUs. Cancel a large run of the same time, and see the request succeed."],
  ],
  VIEWER: [
    ["#/reports?period=week", "Reports", "compares this week with the days before. Which project uses most, and when are the clusters empty?"],
    ["#/reports?period=week&tab=refusals", "Refusals", "says who was refused, why, and how the chances depend on size and time."],
    ["#/wall", "Wall", "is for a large screen: what is free now, and what begins next."],
  ],
};

/** Buttons that sign in with the accounts of the demo. @param {{signIn: (token: string) => Promise<void>}} its */
export function Offer({ signIn }) {
  const accounts = useSignal(/** @type {{name: string, role: string, token: string}[]} */ ([]));
  const refused = useSignal("");
  useEffect(() => {
    fetch("/demo").then(async (response) => {
      const body = await response.json();
      accounts.value = body.accounts ?? [];
      refused.value = response.ok ? "" : body.detail;
    }).catch(() => {
      refused.value = "The demo does not answer. Reload the page.";
    });
  }, []);
  const enter = (/** @type {{token: string}} */ { token }) => {
    localStorage.setItem("berth.demo", "true");
    history.replaceState(null, "", "#/");
    sync();
    signIn(token).catch((why) => {
      refused.value = why.message;
    });
  };
  return refused.value ? html`<p class="note">${refused.value}</p>` : html`
    <div class="demo">
      <h2>Demo</h2>
      <p>Look at Berth as one of these people. You can change everything.</p>
      <div class="row">${accounts.value.map((each) => html`
        <button key=${each.name} type="button" class="first" onclick=${() => enter(each)}>${ROLES[each.role]}<span class="name">${each.name}</span></button>`)}
      </div>
    </div>`;
}

/** The strip that says that all data are invented, with tasks for a role. @param {{role: string}} its */
export function View({ role }) {
  return html`
    <div class="demo-strip"><aside class="demo" aria-label="Demo">
      Demo data: people and reservations are invented, and a robot goes on booking.${speed() > 1 && ` Time runs ${speed()} times as fast as yours.`}
      <details>
        <summary>Three things to try</summary>
        <ol>${TASKS[role].map(([href, name, task]) => html`<li key=${name}><a href=${href}>${name}</a> ${task}</li>`)}</ol>
      </details>
    </aside></div>`;
}
