// A page of the documentation: its tabs and the buttons that copy code.
// Without this script all of it can be read.

import { h } from "../dom.js";
import { t } from "../lang.js";

const remembered = "larder-language"; // the name in localStorage of the chosen tab

document.querySelectorAll(".tabs").forEach(makeTabs);
choose(recall());
document.querySelectorAll(".code").forEach(addCopy);

// A browser may keep its storage from the page.
function recall() {
  try {
    return localStorage.getItem(remembered);
  } catch {
    return null;
  }
}

function remember(name) {
  try {
    localStorage.setItem(remembered, name);
  } catch {
    // The choice holds on this page only.
  }
}

// makeTabs makes tabs of blocks of code that say the same in several languages.
function makeTabs(group, at) {
  const list = h("div", { role: "tablist", "aria-label": t("Language") }, [...group.children].map((panel, i) => {
    const name = panel.querySelector(".tab-name");
    name.hidden = true;
    panel.id = `tab-${at}-${i}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${at}-${i}-name`);
    return h("button", { type: "button", role: "tab", id: `tab-${at}-${i}-name`, "aria-controls": panel.id, onclick: (event) => pick(event.target) }, name.textContent);
  }));
  list.addEventListener("keydown", (event) => {
    const tabs = [...list.children], now = tabs.indexOf(event.target);
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    pick(tabs.at(next % tabs.length));
  });
  group.prepend(list);
}

// pick shows the language of a tab on the whole page. The tab stays where it is on
// the screen, although blocks above it may change their heights.
function pick(tab) {
  const before = tab.getBoundingClientRect().top;
  choose(tab.textContent);
  remember(tab.textContent);
  tab.focus({ preventScroll: true });
  window.scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: "instant" });
}

// choose shows the blocks of a language. A group without the language shows its first.
function choose(name) {
  for (const list of document.querySelectorAll("[role=tablist]")) {
    const tabs = [...list.children];
    const chosen = tabs.find((tab) => tab.textContent === name) ?? tabs[0];
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  }
}

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
