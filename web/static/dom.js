// Finds and creates elements; and what browsers of 2021 lack.

const SVG = "http://www.w3.org/2000/svg";

// Where the drawings are.
export const sprites = document.documentElement.dataset;

/**
 * The first element for a selector, or `null`.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => T} [kind] Its required class; default: HTMLElement.
 * @returns {T | null}
 */
export function findOptional(within, selector, kind) {
  const found = within.querySelector(selector);
  return found instanceof (kind ?? HTMLElement) ? /** @type {T} */ (found) : null;
}

/**
 * The first element for a selector; throws if there is none.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function find(within, selector, kind) {
  const found = findOptional(within, selector, kind);
  if (!found) throw new Error(`nothing here is ${selector}`);
  return found;
}

/**
 * The element with this id; throws if there is none.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function byId(id, kind) {
  return find(document, `#${id}`, kind);
}

/**
 * Returns a function that finds the parts of a section by name: "go" is the element with `data-go`.
 * @param {ParentNode} section
 * @returns {(name: string) => HTMLElement}
 */
export function partsOf(section) {
  return (name) => find(section, `[data-${name}]`);
}

/**
 * All elements for a selector.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T[]}
 */
export function findAll(within, selector, kind) {
  const kept = [...within.querySelectorAll(selector)].filter((found) => found instanceof (kind ?? HTMLElement));
  return /** @type {T[]} */ (kept);
}

/**
 * Focuses the first element for a selector, HTML or SVG, if there is one.
 * @param {ParentNode} within
 * @param {string} selector
 * @param {FocusOptions} [how]
 */
export function focusOn(within, selector, how) {
  const found = within.querySelector(selector);
  if (found instanceof HTMLElement || found instanceof SVGElement) found.focus(how);
}

/**
 * The element of the event.
 * @param {Event} event
 */
export function targetOf(event) {
  return /** @type {Element} */ (event.target);
}

/**
 * The last of a list that is accepted: `findLast` of newer browsers.
 * @template T
 * @param {readonly T[]} list
 * @param {(one: T) => unknown} [accepts]
 * @returns {T | undefined}
 */
export function last(list, accepts = () => true) {
  return [...list].reverse().find(accepts);
}

/** A signal that ends a request after a time: `AbortSignal.timeout` of newer browsers. @param {number} ms */
export function timeoutSignal(ms) {
  const ends = new AbortController();
  setTimeout(() => ends.abort(), ms);
  return ends.signal;
}

/** The JSON in a script element of the page. @param {string} id */
export function jsonOf(id) {
  return JSON.parse(byId(id).textContent ?? "");
}

/**
 * Creates an element. Keys that are not properties become attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} properties
 * @param {...(Node | string)} children
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) Object.assign(element, { [key]: value });
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number | boolean>} attributes
 * @param {...(Node | string)} children
 */
export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Creates text in a drawing. @param {string | number} words @param {Record<string, string | number>} attributes */
export function text(words, attributes) {
  return shape("text", attributes, String(words));
}

/** A drawing from a file of drawings. @param {string} href @param {string} className */
export function icon(href, className = "icon") {
  return shape("svg", { class: className, "aria-hidden": "true" }, shape("use", { href }));
}

/** The symbol of a seat. @param {Seat} seat */
export function mark(seat) {
  return icon(`${sprites.symbols}#s${seat}`, `mark seat-${seat}`);
}
