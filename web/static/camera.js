// The camera's picture, new every two seconds for as long as somebody looks.

export function live(place, wanted, also = () => {}) {
  const picture = place.querySelector("img");
  const unseen = document.getElementById("unseen");
  const look = () => {
    if (!wanted() || document.hidden) return;
    also();
    const fresh = new Image();
    fresh.onload = () => {
      picture.src = fresh.src;
      picture.hidden = false;
      unseen.hidden = true;
    };
    fresh.onerror = () => {
      picture.hidden = true;
      unseen.hidden = false;
    };
    fresh.src = `/api/v1/camera.jpg?${Date.now()}`;
  };
  setInterval(look, 2000);
  return look;
}
