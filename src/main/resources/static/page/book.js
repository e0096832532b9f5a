import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { accountOf, BookForm, errorsOf, isInForm, projectOf, read, unitOf, useFields } from "./book-form.js";
import { bookedText, Done, Held } from "./book-held.js";
import { Maps } from "./book-map.js";
import { Nothing, Refused } from "./book-nothing.js";
import { Offers, Order, orderOf } from "./book-offers.js";
import { Prices } from "./book-prices.js";
import { changesFor, useAnswer } from "./book-probe.js";
import { hold } from "./book-ways.js";
import { announce } from "./document.js";
import { Bulletins } from "./runs.js";
import { Hours } from "./signal.js";
import { durationSeconds, fromField, now, toField } from "./time.js";
import { Failed, html, Icon, Skeleton, useChange, useRead, useTicks } from "./ui.js";
import { address, zone } from "./url.js";

/** Session storage key of the held reservation, so that it is shown again after a reload. */
const HELD = "berth.hold";
const MINUTE = 60_000;

/** Shows where a run would fit, and books it there. @param {{context: import("./main.js").Context}} its */
export function View({ context: { api, account } }) {
  const { data, problem } = useRead(api, async (api) => {
    const [clusters, projects] = await Promise.all([api.all("/clusters", {}, 500), api.all("/projects", {}, 500).catch(() => [])]);
    return {
      me: account,
      clusters: clusters.filter(({ admission }) => admission !== "CLOSED"),
      projects: projects.filter(({ members }) => account.role !== "CLIENT"
        || members.some((/** @type {any} */ member) => member.account === account.name && member.role !== "VIEWER")),
    };
  }, []);
  return html`<h1>Find a slot</h1>${data ? html`<${Book} api=${api} account=${account} known=${data} />` : problem ? html`<${Failed} why=${problem} />` : html`<${Skeleton} />`}`;
}

/** @param {{api: import("./api.js").Api, account: {name: string}, known: import("./book-form.js").Known}} its */
function Book({ api, account, known }) {
  const { clusters } = known;
  const fields = useFields(known, account.name);
  const { form } = fields;
  const unit = unitOf(form, clusters);
  // words such as +2h mean the same until the next minute
  const { want, errors } = useMemo(() => read(form, clusters), [JSON.stringify(form), zone(), Math.floor(useTicks() / 2)]);
  const question = want && { want, order: orderOf(), cluster: form.cluster, known, unit };
  const { answer, isCurrent, again } = useAnswer(api, question);
  const booking = useBooking(api, account.name, again);
  const offers = useRef(/** @type {any} */ (null));
  const answered = useRef(question);
  if (isCurrent) {
    answered.current = question;
  }

  const change = (/** @type {Partial<import("./book-form.js").Form>} */ patch) => {
    fields.set(patch);
    fields.keep();
    booking.forget();
  };
  const onWindow = (/** @type {{start: number, end: number}} */ { start, end }, /** @type {boolean} */ isDone) => {
    fields.set({ ready: toField(start, zone()), deadline: toField(end, zone()) });
    if (isDone) {
      fields.keep();
    }
  };
  const onCell = (/** @type {number} */ pes, /** @type {number} */ start) => {
    const length = fromField(form.deadline, zone(), true) - Math.max(now(), fromField(form.ready, zone()));
    const run = durationSeconds(form.duration) * 1000;
    // keep the width of the window: a movable run costs less
    const end = Math.ceil((start + Math.max(length || 0, run + MINUTE)) / MINUTE) * MINUTE;
    change({ pes: String(pes), ready: toField(start, zone()), deadline: toField(end, zone()) });
  };
  const labels = {
    ...(form.name.trim() && { name: form.name.trim() }),
    ...(projectOf(form) && { project: projectOf(form) }),
    ...(accountOf(form, known) && { account: accountOf(form, known) }),
    ...(form.users.trim() && { users: form.users.trim().split(/[\s,]+/) }),
  };
  const isAsAsked = answer?.slots.some(({ kind }) => kind !== "ALTERNATIVE");
  const its = {
    clusters, isOld: !isCurrent, isWaiting: booking.said?.is === "waits", isBusy: booking.isBusy, cluster: form.cluster,
    take: (/** @type {any} */ offer, /** @type {import("./book-ways.js").Way} */ way) => booking.take(offer, way, labels),
  };
  const priced = clusters.length === 1 ? clusters[0] : clusters.find(({ id }) => id === form.cluster);
  const toOffers = () => offers.current.scrollIntoView();
  return html`
    <div class="columns">
      <${BookForm} fields=${fields} known=${known} errors=${{ ...(isCurrent ? errorsOf(answer?.problem) : {}), ...errorsOf(booking.problem), ...errors }}>
        <p><a href=${address("series", { new: "1", cluster: form.cluster || null, pes: form.pes || null, duration: form.duration || null, project: projectOf(form) || null })}><${Icon} name="repeat" /> The same on many days</a></p>
        <p class="phone-only to-offers"><button type="button" class="first" onclick=${toOffers}>${isCurrent && isAsAsked ? `Offers (${answer?.slots.length})` : "Offers"}</button></p>
      <//>
      <div class="stack">
        ${booking.held && html`<${Held} key=${booking.held.reservation.id} held=${booking.held.reservation} offeredFor=${booking.held.offeredFor} needsApproval=${booking.held.needsApproval} known=${known}
          isBusy=${booking.isBusy} confirm=${booking.confirm} letGo=${booking.letGo} over=${booking.over} />`}
        <div aria-live="assertive">
          ${booking.said && html`<${Done} said=${booking.said} known=${known} isBusy=${booking.isBusy} confirm=${booking.confirmAtOnce} letGo=${booking.forget} />`}
          ${booking.problem && html`<${Refused} why=${booking.problem} changes=${want ? changesFor(booking.problem.document?.wouldFit, want, unit) : []} change=${change} />`}
        </div>
        <${Bulletins} clusters=${clusters.filter(({ id }) => !form.cluster || id === form.cluster)} />
        <section class="panel" ref=${offers}>
          <div class="head"><h2>Offers</h2><${Order} slots=${answer?.slots ?? []} /></div>
          <div aria-live="polite">
            ${!answer ? html`<p class="muted">${want ? "Looking …" : "Correct what is marked in the form."}</p>`
              : answer.problem ? html`<${Failed} why=${isInForm(answer.problem) ? "Correct what is marked in the form." : answer.problem} />`
              : isAsAsked ? html`<p class="muted small">A price holds its place for five minutes. You confirm it after that.</p><${Offers} slots=${answer.slots} want=${answer.want} ...${its} />`
              : html`<${Nothing} answer=${answer} change=${change} waitAt=${(/** @type {string} */ cluster) => booking.waitAt(cluster, answer.want?.terms, labels)} ...${its} />`}
          </div>
        </section>
        ${answer && answered.current && html`<${Prices} api=${api} question=${answered.current} choose=${(/** @type {number} */ deadline) => change({ deadline: toField(deadline, zone()) })} />`}
        ${priced && html`<${Hours} key=${priced.id} api=${api} cluster=${priced} />`}
        ${answer && html`<section class="panel"><h2>Free capacity</h2>
          <${Maps} api=${api} clusters=${clusters} cluster=${answered.current?.cluster ?? ""} want=${want ?? answer.want} offers=${answer.slots} onWindow=${onWindow} onCell=${onCell} /></section>`}
      </div>
    </div>`;
}

/**
 * Holds, confirms and books, one at a time.
 * @param {import("./api.js").Api} api @param {string} account @param {() => void} again asks for offers
 */
function useBooking(api, account, again) {
  const held = useSignal(/** @type {{reservation: any, offeredFor: any, needsApproval: boolean} | null} */ (null));
  const said = useSignal(/** @type {import("./book-held.js").Said | null} */ (null));
  const { isBusy, problem, run, refuse } = useChange();

  const send = async (/** @type {any} */ body) => (await api.post("/reservations", body, { isOnce: true })).body;

  /** Acts on what is held, unless it has changed since. @param {string} what @param {any} reservation */
  const act = async (what, reservation) => (await api.post(`/reservations/${reservation.id}/${what}`, undefined, { isOnce: true, ifMatch: `"${reservation.version}"` })).body;
  const over = () => sessionStorage.removeItem(HELD);
  const end = () => {
    over();
    held.value = null;
  };
  const showBooked = (/** @type {any} */ reservation) => {
    said.value = { is: "booked", reservation };
    announce(bookedText(reservation));
    again();
  };

  /** Answers what is held, or shows it as it is now. @param {string} what */
  const answer = async (what) => {
    const { reservation, ...others } = /** @type {NonNullable<typeof held.value>} */ (held.peek());
    try {
      const answered = await act(what, reservation);
      end();
      return answered;
    } catch (problem) {
      if (/** @type {any} */ (problem).code === "stale-version") {
        const { body } = await api.get(`/reservations/${reservation.id}`);
        if (body.state !== "HELD") {
          end();
          again();
          throw new Error("This hold has ended meanwhile, or was answered elsewhere.");
        }
        held.value = { ...others, reservation: body };
      }
      throw problem;
    }
  };

  useEffect(() => {
    const id = sessionStorage.getItem(HELD);
    if (id) {
      api.get(`/reservations/${id}`).then(({ body }) => {
        if (body.state === "HELD" && body.owner === account) {
          held.value ??= { reservation: body, offeredFor: body.price, needsApproval: false };
        } else {
          over();
        }
      }, over);
    }
  }, []);

  return {
    isBusy, problem, over, held: held.value, said: said.value,
    forget() {
      said.value = null;
      refuse(null);
    },
    /** @param {any} offer @param {import("./book-ways.js").Way} way @param {any} labels */
    take(offer, way, labels) {
      const body = { cluster: offer.cluster, terms: way.terms, ...(way.start && { start: way.start }), ...labels };
      if (!way.start) {
        refuse(null);
        said.value = { is: "at-once", run: { ...labels, owner: labels.account ?? account, cluster: offer.cluster, placement: offer, price: way.price }, body };
        return;
      }
      run(async () => {
        const reservation = await send({ ...body, hold: hold() });
        const earlier = held.value?.reservation;
        sessionStorage.setItem(HELD, reservation.id);
        held.value = { reservation, offeredFor: way.price, needsApproval: offer.needsApproval };
        said.value = null;
        if (earlier) {
          // it may be over or answered by now
          await act("cancel", earlier).catch(() => {});
        }
        again();
      });
    },
    confirm: () => run(async () => showBooked(await answer("confirm"))),
    letGo: () => run(async () => {
      await answer("cancel");
      said.value = null;
      again();
    }),
    confirmAtOnce: () => run(async () => showBooked(await send(said.value?.is === "at-once" && said.value.body))),
    /** @param {string} cluster @param {any} terms @param {any} labels */
    waitAt: (cluster, terms, labels) => run(async () => {
      const made = await send({ cluster, terms, ...labels, wait: {} });
      if (made.state === "WAITING") {
        said.value = { is: "waits", request: made };
      } else {
        showBooked(made);
      }
    }),
  };
}
