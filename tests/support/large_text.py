"""What axe cannot see, measured in the browser: what is beyond the edge, texts that are cut, texts over each other,
words that fall into letters, and targets that a finger misses."""

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

SMALL_TARGETS = """() => {
  const controls = 'a[href], button, summary, input:not([type=hidden]), textarea, select';
  const inSentence = (one) => one.tagName === 'A'
    && [...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim().length > 1);
  const found = [];
  for (const one of document.querySelectorAll(controls)) {
    if (!one.checkVisibility({visibilityProperty: true}) || one.closest('.unseen, .skip') || inSentence(one)) continue;
    const [width, height] = ['width', 'height'].map((side) => Math.round(one.getBoundingClientRect()[side]));
    if (Math.min(width, height) >= 44) continue;
    found.push(`${width} by ${height} px: ${one.tagName.toLowerCase()} "${one.textContent.trim().slice(0, 30)}"`);
  }
  return found;
}"""
"""A script for ``page.evaluate``: a line about each control of less than 44 pixels, but for links in a sentence."""

BROKEN_WORDS = """() => {
  const found = [];
  const name = (one) =>
    [one.tagName.toLowerCase(), one.id && `#${one.id}`, ...[...one.classList].map((word) => `.${word}`)].join('');
  const hidden = '.unseen, .skip, svg, script, dialog:not([open])';
  // Where a word may be divided, it has a soft hyphen.
  const short = /(?<![\\p{L}\\p{N}\\u00ad])[\\p{L}\\p{N}]{2,8}(?![\\p{L}\\p{N}\\u00ad])/gu;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const one = text.parentElement;
    if (!one.checkVisibility({visibilityProperty: true}) || one.closest(hidden)) continue;
    for (const {0: word, index} of text.data.matchAll(short)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top / 4));
      if (new Set(lines).size > 1) found.push(`"${word}" is broken: ${name(one.parentElement)} > ${name(one)}`);
    }
  }
  return [...new Set(found)];
}"""
"""A script for ``page.evaluate``: a line about each word of at most eight letters that stands on two lines."""
