// A television stands in a dim room, and its browser mostly says "light": the page is dark, or light with `?light` in
// its address. Loaded before the first picture is drawn, so that nothing flashes.
{
  const dark = !new URLSearchParams(location.search).has("light");
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule && rule.media.mediaText === "(prefers-color-scheme: dark)") {
      rule.media.mediaText = dark ? "all" : "not all";
    }
  }
}
