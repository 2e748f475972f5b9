// A short word at the lower edge of the screen, for what somebody just did with a finger; it moves nothing.

const SHOWN_MS = 3500;
let timer = 0;

export function toast(words) {
  let place = document.getElementById("toast");
  if (!place) {
    place = document.createElement("p");
    place.id = "toast";
    place.className = "toast";
    place.setAttribute("role", "status");
    document.body.append(place);
  }
  place.textContent = words;
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (place.hidden = true), SHOWN_MS);
}
