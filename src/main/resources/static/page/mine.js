// @ts-check
/** @param {HTMLElement} root @param {import("./main.js").Context} context @returns {import("./main.js").View} */
export function mount(root, context) {
  root.textContent = context.account.name;
  return {};
}
