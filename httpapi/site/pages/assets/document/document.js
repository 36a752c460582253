// A page of the documentation: the buttons that copy code.
// Without this script all of it can be read.

import { h } from "../dom.js";
import { t } from "../lang.js";

document.querySelectorAll(".code").forEach(addCopy);

// addCopy adds a button to a block of code. Of commands with their output it copies
// the commands. Without a clipboard, which plain http lacks, it selects the code.
function addCopy(block) {
  const code = block.querySelector("code");
  const word = h("span", {}, t("Copy")), said = h("span", { class: "sr", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(textOf(code));
      word.textContent = said.textContent = t("Copied");
    } catch {
      getSelection().selectAllChildren(code);
      word.textContent = said.textContent = t("Press Ctrl+C");
    }
    setTimeout(() => { word.textContent = t("Copy"); said.textContent = ""; }, 2000);
  };
  const what = block.querySelector(".scroll").getAttribute("aria-label");
  block.append(h("button", { type: "button", class: "copy", onclick: copy }, word, h("span", { class: "sr" }, ` ${what}`)), said);
}

function textOf(code) {
  if (!code.classList.contains("language-console")) return code.textContent;
  return code.textContent.split("\n").filter((line) => line.startsWith("$ ")).map((line) => `${line.slice(2)}\n`).join("");
}
