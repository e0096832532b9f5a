import { signal, useSignal } from "@preact/signals";
import htm from "htm";
import { cloneElement, h, render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { announce } from "./document.js";
import { follow, together } from "./stream.js";
import { every, fromField, toField, zoneLabel } from "./time.js";
import { address, change, params, view, zone } from "./url.js";

/** Makes what a component shows. Text is never parsed as HTML. */
export const html = htm.bind(h);

// ---- what is read, and what is changed

/** How long a reading keeps the next from beginning, in milliseconds. */
const HUNG = 30_000;

/**
 * Reads something when the view is opened and when one of `inputs` changes. What is no longer wanted is not read to its end. What
 * changes while it is read is read to its end, and then again, so that it is shown however often it changes.
 * @template T
 * @param {import("./api.js").Api} api
 * @param {(api: import("./api.js").Api) => Promise<T>} read with the calls that end with this reading
 * @param {unknown[]} inputs
 * @param {number} [changes] a number that rises when what is read may have changed
 * @returns {{data: T | null, problem: unknown, isReading: boolean, again: () => void}} the data stay while they are read again
 */
export function useRead(api, read, inputs, changes = 0) {
  const state = useSignal({ data: /** @type {T | null} */ (null), problem: /** @type {unknown} */ (null), isReading: true });
  const under = useRef(new AbortController());
  const isOld = useRef(false);
  const began = useRef(0);
  const run = useRef(async () => {});
  run.current = async () => {
    under.current.abort();
    const { signal } = under.current = new AbortController();
    do {
      isOld.current = false;
      began.current = performance.now();
      state.value = { ...state.peek(), isReading: true };
      const next = await read(api.until(signal)).then((data) => ({ data, problem: null }), (problem) => ({ data: state.peek().data, problem }));
      if (signal.aborted) {
        return;
      }
      state.value = { ...next, isReading: false };
    } while (isOld.current);
  };
  useEffect(() => {
    run.current();
    return () => under.current.abort();
  }, inputs);
  const again = useMemo(() => () => {
    isOld.current = true;
    if (!state.peek().isReading || performance.now() - began.current > HUNG) {
      run.current();
    }
  }, []);
  const heard = useRef(changes);
  useEffect(() => {
    if (heard.current !== changes) {
      heard.current = changes;
      again();
    }
  }, [changes]);
  return { ...state.value, again };
}

/**
 * Follows a stream of events while the view is shown, and calls `react` at most once in `pause` milliseconds.
 * @param {import("./api.js").Session} session
 * @param {string | null} path below /api/v1; null: none
 * @param {() => void} react
 * @param {number} [pause]
 * @returns {boolean} whether the stream is connected
 */
export function useEvents(session, path, react, pause = 500) {
  const latest = useRef(react);
  latest.current = react;
  const isLive = useSignal(false);
  useEffect(() => {
    if (path === null) {
      return () => {};
    }
    const later = together(() => latest.current(), pause);
    let states = 0;
    // it is also read when the stream ends, which may mean that the account may no longer read it, and when the stream is there again
    const onState = (/** @type {boolean} */ isConnected) => {
      isLive.value = isConnected;
      return states++ > 0 && later.soon();
    };
    const stop = follow(session, path, { onEvent: later.soon, onState });
    return () => {
      stop();
      later.end();
    };
  }, [path]);
  return isLive.value;
}

/**
 * Makes changes one at a time, and keeps why the last one was refused.
 * @returns {{isBusy: boolean, isDone: boolean, problem: any, error: (field: string) => string, run: (change: () => Promise<unknown>) => Promise<boolean>, refuse: (why: unknown) => void}}
 *   isDone: whether the last one was made; error: the message for a field; run: returns whether the change was made; refuse: shows a text or a problem, or with null nothing
 */
export function useChange() {
  const isBusy = useSignal(false);
  const isDone = useSignal(false);
  const problem = useSignal(/** @type {any} */ (null));
  return {
    isBusy: isBusy.value,
    isDone: isDone.value,
    problem: problem.value,
    error: (field) => problem.value?.errors?.find((/** @type {any} */ each) => each.field === field)?.message ?? "",
    async run(change) {
      if (isBusy.peek()) {
        return false;
      }
      isBusy.value = true;
      isDone.value = false;
      problem.value = null;
      try {
        await change();
        isDone.value = true;
      } catch (why) {
        problem.value = why;
      } finally {
        isBusy.value = false;
      }
      return isDone.peek();
    },
    refuse(why) {
      problem.value = why;
    },
  };
}

/**
 * Tries what a form says before it is done. What was tried, or why it was refused, counts until an input changes, however late it comes.
 * @param {() => unknown[]} inputs returns the values of the form as they are
 * @returns {ReturnType<typeof useChange> & {tried: any, tryOut: (call: () => Promise<unknown>) => Promise<boolean>}}
 *   tried: what the call returned; null: nothing is tried
 */
export function useDryRun(inputs) {
  const tried = useSignal(/** @type {any} */ (null));
  const acting = useChange();
  const state = () => JSON.stringify(inputs());
  useLayoutEffect(() => {
    tried.value = null;
    acting.refuse(null);
  }, [state()]);
  return {
    ...acting,
    tried: tried.value,
    tryOut: (call) => acting.run(async () => {
      const before = state();
      tried.value = null;
      try {
        const result = await call();
        tried.value = state() === before ? result : null;
      } catch (why) {
        if (state() === before) {
          throw why;
        }
      }
    }),
  };
}

const ticks = signal(0);
every(() => ticks.value++, 30_000, 5000);

/** Has what calls it shown again twice a minute, because it shows how long something still lasts. */
export function useTicks() {
  return ticks.value;
}

// ---- small pieces

/** An icon of index.html; what it stands for is said beside it. @param {{name: string}} its */
export function Icon({ name }) {
  return html`<svg class="icon" aria-hidden="true"><use href=${`#${name}`} /></svg>`;
}

/** A client's text, which may have its own writing direction. @param {{children?: any}} its */
export function Own({ children }) {
  return children ? html`<bdi>${children}</bdi>` : null;
}

/** The name of a person, beside that of an account. @param {{name: string | null | undefined}} its */
export function Named({ name }) {
  return name ? html`<span class="muted small"><${Own}>${name}<//></span>` : null;
}

/** Why something failed. @param {{why: any}} its a problem or a text; null: nothing */
export function Failed({ why }) {
  return why ? html`<p class="problem" role="alert">${why.message ?? why}</p>` : null;
}

/** The place of something that is being read. */
export function Skeleton() {
  return html`<div class="skeleton" role="status"><span class="unseen">Loading</span></div>`;
}

/**
 * What is read, or why it is not there. What could not be read again stays, with what is typed in it.
 * @param {{read: {data: any, problem: unknown}, children: (data: any) => any}} its
 */
export function Read({ read: { data, problem }, children }) {
  return html`<${Failed} why=${problem} />${data ? children(data) : !problem && html`<${Skeleton} />`}`;
}

/** What an empty list says, with what to do as its children. @param {{text: string, children?: any}} its */
export function Empty({ text, children }) {
  return html`<div class="empty"><p>${text}</p>${children}</div>`;
}

/** Facts, without the empty ones. @param {{all: [string, any][]}} its */
export function Facts({ all }) {
  return html`<dl class="facts">${all.filter(([, value]) => value).map(([word, value]) => html`<dt key=${word}>${word}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Tabs, one of which the parameter `name` of the address chooses. @param {{name: string, label: string, tabs: [value: string, text: string][], value: string}} its */
export function Tabs({ name, label, tabs, value }) {
  const choose = (/** @type {string} */ each) => (/** @type {Event} */ event) => {
    event.preventDefault();
    change({ [name]: each });
  };
  return html`
    <nav class="tabs" aria-label=${label}><ul>${tabs.map(([each, text]) => html`
      <li key=${each}><a href=${address(view(), { ...Object.fromEntries(params()), [name]: each })} onclick=${choose(each)} aria-current=${each === value ? "page" : null}>${text}</a></li>`)}
    </ul></nav>`;
}

/** What is shown at the mouse. @param {{at: {x: number, y: number} | null, children?: any}} its */
export function Tooltip({ at, children }) {
  const box = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    if (at && box.current) {
      const { width, height } = box.current.getBoundingClientRect();
      box.current.style.left = `${Math.max(4, Math.min(at.x + 14, innerWidth - width - 4))}px`;
      box.current.style.top = `${at.y + 18 + height > innerHeight ? at.y - height - 8 : at.y + 18}px`;
    }
  });
  return at && html`<div class="tooltip" ref=${box}>${children}</div>`;
}

// ---- forms

let fields = 0;

/**
 * A labelled input, which is its child, with a hint or an error next to it.
 * @param {{label: any, hint?: any, error?: string, hidden?: boolean, unit?: string, children?: any}} its
 */
export function Field({ label, hint = "", error = "", hidden = false, unit = "", children }) {
  const id = useMemo(() => `input-${++fields}`, []);
  const says = `${id}-says`;
  const input = cloneElement(children, { id, "aria-describedby": says, "aria-invalid": String(Boolean(error)) });
  return html`
    <div class=${error ? "field wrong" : "field"} hidden=${hidden}>
      <label for=${id}>${label}</label>
      ${unit ? html`<div class="unit">${input}<span class="muted">${unit}</span></div>` : input}
      <p class="field-says" id=${says}>${error || hint}</p>
    </div>`;
}

/** Returns the attributes of an input whose value is a signal's. @param {import("@preact/signals").Signal<string>} its */
export function bound(its) {
  return { value: its.value, oninput: (/** @type {any} */ { target }) => { its.value = target.value; } };
}

/**
 * The values of a form, and what is wrong with them.
 * @template {Record<string, any>} T
 * @param {T} first
 * @returns {{
 *   values: T, peek: () => T, set: (name: keyof T, value: any) => void, load: (values: T) => void, of: (name: keyof T & string) => any,
 *   errors: Record<string, string>, check: (errors: Record<string, string | false>) => boolean,
 * }} of: the attributes of the input for a value; check: keeps the errors of fields, and returns whether there are none
 */
export function useForm(first) {
  const values = useSignal(first);
  const errors = useSignal(/** @type {Record<string, string>} */ ({}));
  const set = (/** @type {keyof T} */ name, /** @type {any} */ value) => {
    values.value = { ...values.peek(), [name]: value };
  };
  return {
    values: values.value,
    peek: () => values.peek(),
    set,
    load(next) {
      values.value = next;
      errors.value = {};
    },
    of: (name) => ({ name, value: values.value[name], oninput: (/** @type {any} */ { target }) => set(name, target.value) }),
    errors: errors.value,
    check(found) {
      errors.value = /** @type {Record<string, string>} */ (Object.fromEntries(Object.entries(found).filter(([, error]) => error)));
      return Object.keys(errors.value).length === 0;
    },
  };
}

/**
 * Why a form was refused, without what stands beside its fields.
 * @param {{why: any, beside: string[]}} its beside: the fields of the API that have their own error
 */
export function Refused({ why, beside }) {
  const others = (why?.errors ?? []).filter((/** @type {any} */ each) => !beside.includes(each.field));
  const text = why?.errors?.length > 0
    ? [why.status === 409 && why.detail || "Correct the marked fields.", ...others.map((/** @type {any} */ each) => `${each.field} ${each.message}.`)].join(" ")
    : why;
  return html`<${Failed} why=${text} />`;
}

let menus = 0;

/** A button that shows minor actions, which are its children. @param {{label: string, children?: any}} its */
export function Menu({ label, children }) {
  const id = useMemo(() => `menu-${++menus}`, []);
  const [button, list] = [useRef(/** @type {any} */ (null)), useRef(/** @type {any} */ (null))];
  const place = () => {
    const { right, top, bottom } = button.current.getBoundingClientRect();
    const isBelow = bottom < innerHeight / 2;
    Object.assign(list.current.style, {
      right: `${Math.max(4, document.documentElement.clientWidth - right)}px`,
      top: isBelow ? `${bottom + 2}px` : "auto",
      bottom: isBelow ? "auto" : `${innerHeight - top + 2}px`,
    });
  };
  return html`
    <button type="button" class="quiet" aria-label=${label} popovertarget=${id} ref=${button}><${Icon} name="ellipsis" /></button>
    <div class="menu" id=${id} popover="auto" ref=${list} onbeforetoggle=${place} onclick=${() => list.current.hidePopover()}>${children}</div>`;
}

/** A box to tick, with its label. @param {{checked: boolean, onchange: (isChecked: boolean) => void, children?: any} & Record<string, any>} its */
export function Tick({ checked, onchange, children, ...others }) {
  return html`<label class="choice"><input type="checkbox" checked=${checked} onchange=${(/** @type {any} */ { target }) => onchange(target.checked)} ...${others} />${children}</label>`;
}

/**
 * A drop-down list. It has its value as an option, whatever the options are.
 * @param {{options: [value: string, text: string][], value: string} & Record<string, any>} its
 */
export function Choice({ options, value, ...others }) {
  const all = options.some(([each]) => each === value) ? options : [...options, [value, value]];
  return html`<select value=${value} ...${others}>${all.map(([each, text]) => html`<option key=${each} value=${each} selected=${each === value}>${text}</option>`)}</select>`;
}

/** A drop-down list for a value of a form. @param {{options: [value: string, text: string][], form: any, name: string} & Record<string, any>} its */
export function Pick({ form, name, ...others }) {
  const { oninput, ...of } = form.of(name);
  return html`<${Choice} ...${of} onchange=${oninput} ...${others} />`;
}

/** Buttons of which one is chosen. @param {{label: string, options: [value: string, text: string][], value: string, choose: (value: string) => void}} its */
export function Choices({ label, options, value, choose }) {
  return html`<div class="choices" role="group" aria-label=${label}>${options.map(([each, text]) => html`
    <button key=${each} type="button" value=${each} aria-pressed=${String(each === value)} onclick=${() => choose(each)}>${text}</button>`)}</div>`;
}

/**
 * A labelled field for an instant in words or figures, with the time zone next to it and a calendar to choose from.
 * @param {{label: string, value: import("@preact/signals").Signal<string>, hint?: string, error?: string, hidden?: boolean} & Record<string, any>} its
 */
export function Moment({ label, value, hint, error, hidden, ...others }) {
  const calendar = useRef(/** @type {any} */ (null));
  const open = () => {
    const moment = fromField(value.value, zone());
    calendar.current.value = Number.isNaN(moment) ? "" : toField(moment, zone()).replace(" ", "T");
    calendar.current.showPicker();
  };
  const choose = () => {
    value.value = calendar.current.value.replace("T", " ");
    others.onchange?.();
  };
  return html`
    <${Field} label=${`${label} (${zoneLabel(zone())})`} hint=${hint} error=${error} hidden=${hidden}>
      <${MomentInput} calendar=${calendar} open=${open} choose=${choose} ...${others} ...${bound(value)} />
    <//>`;
}

/** @param {{calendar: any, open: () => void, choose: () => void} & Record<string, any>} its */
function MomentInput({ calendar, open, choose, ...others }) {
  return html`
    <div class="moment">
      <input autocomplete="off" ...${others} />
      <input type="datetime-local" tabindex="-1" aria-hidden="true" ref=${calendar} onchange=${choose} />
      <button type="button" aria-label="Choose in a calendar" onclick=${open}><${Icon} name="calendar" /></button>
    </div>`;
}

/**
 * A button for an action that counts once the user has confirmed it.
 * @param {{question: any, yes: string, no?: string, act: () => unknown, children?: any} & Record<string, any>} its
 */
export function Confirmed({ question, yes, no = "Cancel", act, children, ...others }) {
  const confirm = async () => await ask(question, yes, no) && act();
  return html`<button type="button" ...${others} onclick=${confirm}>${children}</button>`;
}

/**
 * A secret that appears only once, with buttons to copy and to close it. Only the user closes it.
 * @param {{label: string, hint: string, value: string, close: () => void}} its
 */
export function Secret({ label, hint, value, close }) {
  const box = useRef(/** @type {any} */ (null));
  const isCopied = useSignal(false);
  useEffect(() => box.current.scrollIntoView({ block: "nearest" }), []);
  const copy = async () => {
    box.current.querySelector("input").select();
    await navigator.clipboard?.writeText(value).catch(() => {});
    announce("Copied.");
    isCopied.value = true;
  };
  return html`
    <section class="panel secret" ref=${box}>
      <p>${hint}</p>
      <p class="row">
        <input readonly value=${value} aria-label=${label} />
        <button type="button" onclick=${copy}><${Icon} name="copy" />${isCopied.value ? "Copied" : "Copy"}</button>
        <button type="button" onclick=${close}>I have kept it</button>
      </p>
    </section>`;
}

/**
 * Asks the user to confirm an action that cannot be undone.
 * @param {any} question names the action
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function ask(question, yes, no) {
  return new Promise((resolve) => {
    const node = document.createElement("div");
    const answer = (/** @type {boolean} */ isSure) => {
      render(null, node);
      node.remove();
      resolve(isSure);
    };
    document.body.append(node);
    render(html`
      <${Dialog} label=${yes} close=${() => answer(false)}>
        <p>${question}</p>
        <p class="row">
          <button type="button" class="harm" onclick=${() => answer(true)}>${yes}</button>
          ${/* a key that is pressed twice, or held, does not answer what nobody has read */""}
          <button type="button" autofocus onclick=${() => answer(false)}>${no}</button>
        </p>
      <//>`, node);
  });
}

/** A dialog over the page. @param {{label: string, close: () => void, children?: any}} its */
export function Dialog({ label, close, children }) {
  const dialog = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown.showModal();
    return () => shown.close();
  }, []);
  return html`<dialog ref=${dialog} aria-label=${label} oncancel=${close}>${children}</dialog>`;
}

// ---- tables

/**
 * @template T
 * @typedef {{
 *   head: string,
 *   cell: (row: T) => any,
 *   by?: (row: T) => string | number,
 *   isNumber?: boolean,
 * }} Column by: what the table is sorted and searched by; isNumber: right-aligned
 */

/** The lines of a page; a line is a card on a phone. */
const PAGE = innerWidth > 700 ? 50 : 20;

/**
 * A table. With a name it can be sorted by its heads and has pages, and with `search` it can be searched; what is chosen stands in the
 * address, after the table's name.
 * @template T
 * @param {{
 *   caption: string, columns: Column<T>[], rows: T[], keyOf: (row: T) => string, name?: string, search?: string,
 *   tools?: any, empty?: any,
 * }} its search: what the field of the search is called; tools: fields and buttons beside it
 */
export function Table({ caption, columns, rows, keyOf, name, search, tools, empty }) {
  const [searchKey, sortKey, pageKey] = ["search", "sort", "page"].map((each) => (name ? `${name}-${each}` : each));
  const chosen = params();
  const word = search ? (chosen.get(searchKey) ?? "").trim().toLowerCase() : "";
  const sorted = name ? chosen.get(sortKey) ?? "" : "";
  const found = word ? rows.filter((row) => columns.some(({ by }) => by && String(by(row)).toLowerCase().includes(word))) : rows;
  const column = columns.find((each) => each.by && each.head === sorted.replace(/^-/, ""));
  const ordered = column?.by ? [...found].sort(order(column.by, sorted.startsWith("-"))) : found;
  const last = name ? Math.max(0, Math.ceil(ordered.length / PAGE) - 1) : 0;
  const page = Math.min(last, Math.max(0, Number(chosen.get(pageKey) ?? 0) || 0));
  const shown = name ? ordered.slice(page * PAGE, (page + 1) * PAGE) : ordered;
  const turn = (/** @type {number} */ to) => () => change({ [pageKey]: to ? String(to) : null });
  const sort = (/** @type {string} */ head) => () => change({ [sortKey]: sorted === head ? `-${head}` : head, [pageKey]: null }, { replace: true });
  const type = (/** @type {any} */ { target }) => change({ [searchKey]: target.value || null, [pageKey]: null }, { replace: true });
  return html`
    ${(search || tools) && html`<div class="toolbar">
      ${search && html`<${Field} label=${search}><input type="search" name=${searchKey} value=${chosen.get(searchKey) ?? ""} oninput=${type} /><//>`}
      ${tools}
    </div>`}
    ${rows.length === 0 ? empty ?? null : html`
    <div class="table" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption class="unseen">${caption}</caption>
        <thead><tr>${columns.map(({ head, by, isNumber }) => html`
          <th key=${head} scope="col" class=${isNumber ? "number" : null}
            aria-sort=${column?.head === head ? (sorted.startsWith("-") ? "descending" : "ascending") : null}>
            ${name && by ? html`<button type="button" onclick=${sort(head)}>${head}${column?.head === head && html`<${Icon} name=${sorted.startsWith("-") ? "arrow-down" : "arrow-up"} />`}</button>` : head}
          </th>`)}</tr></thead>
        <tbody>${shown.map((row) => html`
          <tr key=${keyOf(row)}>${columns.map(({ head, cell, isNumber }) => html`<td key=${head} data-head=${head} class=${isNumber ? "number" : null}>${cell(row)}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>
    ${word && ordered.length === 0 && html`<p class="muted">Nothing matches “${word}”.</p>`}
    ${last > 0 && html`<p class="row">
      <button type="button" disabled=${page === 0} onclick=${turn(page - 1)}><${Icon} name="chevron-left" />Previous</button>
      <span class="muted">${page * PAGE + 1}–${Math.min(ordered.length, (page + 1) * PAGE)} of ${ordered.length}</span>
      <button type="button" disabled=${page === last} onclick=${turn(page + 1)}>Next<${Icon} name="chevron-right" /></button>
    </p>`}`}`;
}

/** @param {(row: any) => string | number} by @param {boolean} isDown */
function order(by, isDown) {
  return (/** @type {any} */ one, /** @type {any} */ other) => {
    const [a, b] = [by(one), by(other)];
    const sign = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return isDown ? -sign : sign;
  };
}
