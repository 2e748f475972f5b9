import { drawMap } from "./map.js";

export function draw(place) {
  const map = place.querySelector("svg");
  return ({ public: view }) => {
    map.replaceChildren();
    drawMap(map, Object.entries(view?.cells ?? {}).map(([id, cell]) => ({ id, x: cell.split(" ")[1], y: cell.split(" ")[2] })));
  };
}
