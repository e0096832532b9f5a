import { useSignal } from "@preact/signals";
import { download } from "./csv.js";
import { Failed, html, Icon } from "./ui.js";

/** @typedef {{api: import("./api.js").Api, from: number, to: number, cluster: string, project: string, unit: string, sees: boolean}} Asked sees: whether the user may see figures of clusters */

/** Berth makes two reports at a time, so the page asks for one after the other. @type {Promise<unknown>} */
let queue = Promise.resolve();

/** @template T @param {() => Promise<T>} read @returns {Promise<T>} */
export function inTurn(read) {
  const turn = queue.then(read);
  queue = turn.catch(() => {});
  return turn;
}

/**
 * A part of a report, with a button for its figures as a file.
 * @param {{title: string, says?: any, file?: string, csv?: () => Promise<string> | string, tools?: any, children?: any}} its
 */
export function Part({ title, says, file, csv, tools, children }) {
  const problem = useSignal(/** @type {unknown} */ (null));
  const keep = async () => {
    problem.value = null;
    try {
      download(`berth-${file}.csv`, /** @type {string} */ (await csv?.()));
    } catch (why) {
      problem.value = why;
    }
  };
  return html`
    <section class="panel part">
      <div class="head">
        <h2>${title}</h2>
        <div class="row">${tools}${csv && html`<button type="button" class="quiet" aria-label=${`${title} as CSV`} onclick=${keep}><${Icon} name="download" />CSV</button>`}</div>
      </div>
      ${says && html`<p class="muted small">${says}</p>`}
      <${Failed} why=${problem.value} />
      ${children}
    </section>`;
}

/**
 * A table whose cells are shaded by a share.
 * @param {{label: string, corner: string, rows: string[], columns: string[], isFine?: boolean, isGood?: boolean,
 *   cell: (row: number, column: number) => {share: number, text: string, title: string} | null}} its
 *   isFine: many narrow columns; isGood: from red for 0 to green for 1
 */
export function Grid({ label, corner, rows, columns, isFine, isGood, cell }) {
  const paint = (/** @type {number} */ share) => isGood
    ? `color-mix(in srgb, color-mix(in oklch, var(--good) ${Math.round(100 * share)}%, var(--bad)) 30%, var(--surface))`
    : `color-mix(in srgb, var(--confirmed) ${Math.round(5 + 55 * Math.min(1, share))}%, var(--surface))`;
  return html`
    <div class=${isFine ? "grid fine" : "grid"} role="table" aria-label=${label} style=${{ gridTemplateColumns: `max-content repeat(${columns.length}, minmax(0, 1fr))` }}>
      <div role="row"><span role="columnheader">${corner}</span>${columns.map((each) => html`<span key=${each} role="columnheader">${each}</span>`)}</div>
      ${rows.map((head, row) => html`
        <div key=${head} role="row"><span role="rowheader">${head}</span>${columns.map((each, column) => {
          const its = cell(row, column);
          return html`<span key=${each} role="cell" class="cell" title=${its?.title} style=${its ? { background: paint(its.share) } : null}>${its?.text ?? ""}</span>`;
        })}</div>`)}
    </div>`;
}
