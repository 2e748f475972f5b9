// A hub's page that shows what goes on is read again every few seconds, and replaced only where it has changed.
const EVERY_S = Number(document.documentElement.dataset.every);

async function renew() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["header", "main"]) {
    const [old, fresh] = [document.querySelector(`body > ${part}`), page.querySelector(`body > ${part}`)];
    if (!old || !fresh || old.innerHTML === fresh.innerHTML) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    old.replaceWith(fresh);
    if (focused) /** @type {HTMLElement | null} */ (fresh.querySelector(`a[href="${CSS.escape(focused)}"]`))?.focus();
  }
}

setInterval(() => {
  renew().catch(() => {}); // the hub is away for a moment: the page stays as it is
}, EVERY_S * 1000);
