// The page is asked for again every few seconds, and only what has changed is exchanged: the focus and the scroll stay.

const lost = /** @type {HTMLElement} */ (document.getElementById("lost"));
const everyMs = 1000 * Number(document.documentElement.dataset.every);

/**
 * Makes a node like another one, and keeps what is alike already.
 * @param {Node} old
 * @param {Node} fresh
 */
function follow(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (!(old instanceof Element && fresh instanceof Element) || old.tagName !== fresh.tagName) {
    old.parentNode?.replaceChild(fresh, old);
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const now = [...fresh.childNodes];
  for (const more of [...old.childNodes].slice(now.length)) more.remove();
  now.forEach((one, place) => {
    const there = old.childNodes[place];
    if (there) follow(there, one);
    else old.append(one);
  });
}

async function renew() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    follow(document.body, fresh.body);
  } catch {
    lost.hidden = false; // the page stays, and the hub is asked again
  }
  setTimeout(renew, everyMs);
}

setTimeout(renew, everyMs);
