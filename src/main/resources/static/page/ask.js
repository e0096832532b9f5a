// @ts-check
import { h } from "./dom.js";

/**
 * Asks whether something is to be done that cannot be taken back.
 * @param {string} question names what it does
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
