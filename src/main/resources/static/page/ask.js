import { h, select } from "./dom.js";
import { texts } from "./texts.js";

const says = texts.run;

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

/**
 * Makes a choice among roles; another one counts once it is confirmed.
 * @param {string} name whose
 * @param {[string, string][]} options
 * @param {string} present
 * @param {(role: string) => void} give
 * @param {boolean} [disabled]
 */
export function roleOf(name, options, present, give, disabled = false) {
  const choice = select(options, present, { "aria-label": `${says.role}: ${name}`, disabled });
  choice.addEventListener("change", async () => {
    const wanted = choice.value;
    choice.value = present;
    if (await ask(says.roleAsk(name, wanted), says.changeRole, says.no)) {
      give(wanted);
    }
  });
  return choice;
}
