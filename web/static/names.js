/** Equal for names that people read as the same, as `companion/public/names.py` compares them. @param {string} name */
export function nameKey(name) {
  return name
    .replace(/[\p{Cf}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’‘ʼ′`´]/gu, "'")
    .replace(/[‐‑‒–—―−]/gu, "-")
    .split(/\s+/u)
    .filter(Boolean)
    .join(" ");
}
