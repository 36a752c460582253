// Elements are made here, and always from text: nothing that a snapshot says can become
// markup.

// h makes an element. Properties with a dash or "role" are set as attributes,
// "on..." are listeners, false and null leave a property out. Children are
// elements, texts, numbers, or lists of those; null is left out.
export const h = (tag, props = {}, ...children) => fill(document.createElement(tag), props, children);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name in element && !name.includes("-") && name !== "role") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// show replaces what is in an element.
export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// byId returns the element of an id.
export const byId = (id) => document.getElementById(id);

// say has screen readers read a text out: into an element with aria-live.
export function say(element, text) {
  element.textContent = "";
  requestAnimationFrame(() => { element.textContent = text; });
}
