import { texts } from "./texts.js";
import { fromField, toField, zoneLabel } from "./time.js";

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * Makes an element. Text is never parsed as HTML. `on…` attributes are listeners. True sets an attribute without a value;
 * false and null leave it out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") {
      Reflect.set(element, name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  add(element, children);
  return element;
}

/**
 * @param {Node} parent
 * @param {Child[]} children
 */
function add(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      add(parent, child);
    } else if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

/**
 * Replaces all children of a node. If a focused element is made again, it keeps the focus.
 * @param {Element} node
 * @param {...Child} children
 */
export function replace(node, ...children) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  node.replaceChildren();
  add(node, children);
  if (focused && !focused.isConnected) {
    const again = [...node.querySelectorAll(focused.localName)].find((each) => known(each) === known(focused));
    /** @type {HTMLElement | undefined} */ (again)?.focus();
  }
}

/** Returns a text that identifies an element when it is made again. @param {Element} element */
function known(element) {
  const named = ["href", "name", "aria-label", "value"].map((each) => element.getAttribute(each) ?? "");
  return [...named, Reflect.get(element, "type") === "checkbox" ? Reflect.get(element, "value") : "", element.textContent].join(" ");
}

/**
 * Makes a client's text, which may have its own writing direction.
 * @param {string | null | undefined} text
 */
export function bdi(text) {
  return text ? h("bdi", null, text) : "";
}

const live = h("div", { class: "unseen", role: "status", "aria-live": "polite" });

/** Returns the element whose text screen readers announce. */
export function liveRegion() {
  return live;
}

/**
 * Announces a change to users of screen readers.
 * @param {string} text
 */
export function announce(text) {
  live.textContent = text;
}

/** Makes an error message. @param {any} why a problem or a text */
export function failed(why) {
  return h("p", { class: "problem" }, why.message ?? why);
}

/** Makes a list of facts, without the empty ones. @param {[string, any][]} all */
export function facts(all) {
  return h("dl", { class: "facts" }, all.filter(([, value]) => value).map(([word, value]) => [h("dt", null, word), h("dd", null, value)]));
}

/**
 * Shows a secret that appears only once, with buttons to copy and to close it. Only the user closes it.
 * @param {string} label
 * @param {string} hint
 * @param {string} value
 */
export function secret(label, hint, value) {
  const shown = h("input", { readonly: true, value, "aria-label": label });
  const button = h("button", { type: "button", onclick: async () => {
    shown.select();
    await navigator.clipboard?.writeText(value).catch(() => {});
    announce(texts.secret.copied);
    button.textContent = texts.secret.copied;
  } }, texts.secret.copy);
  const box = h("section", { class: "panel secret" }, h("p", null, hint),
    h("p", { class: "row" }, shown, button, h("button", { type: "button", onclick: () => box.remove() }, texts.secret.close)));
  return box;
}

let fields = 0;

/**
 * Makes a labelled field. Its `error(text)` shows a message next to it.
 * @template {HTMLElement} T
 * @param {string} label
 * @param {T} input
 * @param {string} [hint]
 */
export function field(label, input, hint) {
  fields += 1;
  const id = `field-${fields}`;
  input.id = id;
  const says = h("p", { class: "field-says", id: `${id}-says` }, hint ?? "");
  input.setAttribute("aria-describedby", says.id);
  const node = h("div", { class: "field" }, h("label", { for: id }, label), input, says);
  return {
    node,
    input,
    /** Changes the hint. @param {string} text */
    hint(text) {
      hint = text;
      if (!node.classList.contains("wrong")) {
        says.textContent = text;
      }
    },
    /** @param {string} text */
    error(text) {
      says.textContent = text || (hint ?? "");
      node.classList.toggle("wrong", Boolean(text));
      input.setAttribute("aria-invalid", String(Boolean(text)));
    },
  };
}

/**
 * Makes a labelled field for an instant in words or figures, with the time zone next to it and a calendar to choose from.
 * @param {string} label
 * @param {() => import("./time.js").Zone} zone
 * @param {Record<string, any>} attributes
 */
export function momentField(label, zone, attributes) {
  const made = field(`${label} (${zoneLabel(zone())})`, h("input", { autocomplete: "off", ...attributes }));
  const { input } = made;
  const choose = () => {
    input.value = calendar.value.replace("T", " ");
    ["input", "change"].forEach((type) => input.dispatchEvent(new Event(type, { bubbles: true })));
  };
  const calendar = h("input", { type: "datetime-local", tabindex: -1, "aria-hidden": "true", onchange: choose });
  const open = () => {
    const moment = fromField(input.value, zone());
    calendar.value = Number.isNaN(moment) ? "" : toField(moment, zone()).replace(" ", "T");
    calendar.showPicker();
  };
  const box = h("div", { class: "moment" });
  input.replaceWith(box);
  box.append(input, calendar, h("button", { type: "button", "aria-label": texts.moment.choose, onclick: open }, "\u25be"));
  return made;
}

/**
 * Makes a drop-down list.
 * @param {[value: string, text: string][]} options
 * @param {string} value
 * @param {Record<string, any>} [attributes]
 */
export function select(options, value, attributes) {
  const all = options.some(([each]) => each === value) ? options : [...options, /** @type {[string, string]} */ ([value, value])];
  return h(
    "select",
    attributes ?? {},
    all.map(([each, text]) => h("option", { value: each, selected: each === value }, text)),
  );
}

/**
 * Asks the user to confirm an action that cannot be undone.
 * @param {string} question names the action
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function ask(question, yes, no) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { "aria-label": question });
    const close = (/** @type {boolean} */ answer) => () => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    dialog.append(
      h("p", null, question),
      h("p", { class: "row" },
        h("button", { type: "button", class: "harm", onclick: close(true) }, yes),
        h("button", { type: "button", onclick: close(false) }, no)),
    );
    dialog.addEventListener("cancel", close(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Makes a drop-down list of roles. A change counts once the user has confirmed it.
 * @param {string} name of the account
 * @param {[string, string][]} options
 * @param {string} present
 * @param {(role: string) => void} give
 * @param {boolean} [disabled]
 */
export function roleOf(name, options, present, give, disabled = false) {
  const choice = select(options, present, { "aria-label": `${texts.run.role}: ${name}`, disabled });
  choice.addEventListener("change", async () => {
    const wanted = choice.value;
    choice.value = present;
    if (await ask(texts.run.roleAsk(name, wanted), texts.run.changeRole, texts.run.no)) {
      give(wanted);
    }
  });
  return choice;
}

/**
 * Makes a table.
 * @param {string} caption
 * @param {string[]} heads
 * @param {Child[][]} rows
 */
export function table(caption, heads, rows) {
  return h(
    "div",
    { class: "table", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      null,
      h("caption", { class: "unseen" }, caption),
      h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
      h(
        "tbody",
        null,
        rows.map((row) => h("tr", null, row.map((cell, i) => h("td", { "data-head": heads[i] }, cell)))),
      ),
    ),
  );
}

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** Loads a script of this service that is not a module, once. @param {string} source */
export function loadScript(source) {
  return loaded(source, () => h("script", { src: source }));
}

/** Loads a style sheet of this service, once. @param {string} source */
export function loadStyle(source) {
  return loaded(source, () => h("link", { rel: "stylesheet", href: source }));
}

/** @param {string} source @param {() => HTMLElement} make @returns {Promise<void>} */
function loaded(source, make) {
  let known = loading.get(source);
  if (!known) {
    known = new Promise((resolve, reject) => {
      const element = make();
      element.addEventListener("load", () => resolve());
      element.addEventListener("error", reject);
      document.head.append(element);
    });
    loading.set(source, known);
  }
  return known;
}
