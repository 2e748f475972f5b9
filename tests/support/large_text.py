"""What axe cannot see, measured in the browser: what is beyond the edge, texts that are cut, texts over each other."""

MEASURED = """() => {
  const found = [];
  const name = (one) =>
    `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''} "${one.textContent.trim().slice(0, 30)}"`;
  const shown = (one) => one.checkVisibility({visibilityProperty: true})
    && !one.closest('.unseen, .skip, svg, script, dialog:not([open])');
  // A strip that scrolls in itself, such as the eras on a phone, may be wider than the page.
  const scrolls = (one) => one.closest('.wide, .tree, pre, [data-frame], .curve') !== null;
  // A bar that stays in view lies over what is scrolled below it, and a list that scrolls hides its end.
  const above = (one) => one ? [one, ...above(one.parentElement)] : [];
  const floats = (one) => above(one).some((part) => ['sticky', 'fixed'].includes(getComputedStyle(part).position));
  const inView = (one, box) => above(one).every((part) => {
    const rect = part.getBoundingClientRect();
    return getComputedStyle(part).overflowY === 'visible' || (box.top < rect.bottom - 1 && box.bottom > rect.top + 1);
  });
  const texts = [...document.querySelectorAll('body *')].filter((one) => shown(one)
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  if (document.documentElement.scrollWidth > innerWidth) {
    found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  }
  const lines = [];
  for (const one of texts) {
    if (scrolls(one)) continue;
    const range = document.createRange();
    const boxes = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()).flatMap((node) => {
      range.selectNodeContents(node);
      return [...range.getClientRects()];
    });
    const style = getComputedStyle(one);
    for (const box of boxes) {
      if (box.right > innerWidth + 1 || box.left < -1) found.push(`beyond the edge: ${name(one)}`);
      if (!floats(one) && inView(one, box)) lines.push({one, box});
    }
    for (let around = one; around && around !== document.body; around = around.parentElement) {
      const {overflowX, overflowY} = getComputedStyle(around);
      const cut = around.getBoundingClientRect();
      if (boxes.some((box) => (overflowX === 'hidden' && box.right > cut.right + 2)
        || (overflowY === 'hidden' && box.bottom > cut.bottom + 6))) found.push(`cut: ${name(one)}`);
    }
  }
  for (const [index, a] of lines.entries()) {
    for (const b of lines.slice(index + 1)) {
      if (a.one === b.one || a.one.contains(b.one) || b.one.contains(a.one)) continue;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > 3 && down > 0.4 * Math.min(a.box.height, b.box.height)) {
        found.push(`over each other: ${name(a.one)} and ${name(b.one)}`);
      }
    }
  }
  return [...new Set(found)];
}"""
"""A script for ``page.evaluate``: a line about each loss."""
