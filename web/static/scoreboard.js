// The scoreboard, the television and the overlay.

import { board, ending, table } from "./board.js";
import { follow, start } from "./live.js";
import { send } from "./send.js";

const parts = start.match ? [board(), await table(), ending()] : [];
follow((update, fresh) => parts.forEach((draw) => draw(update, fresh)));

const adopt = document.getElementById("adopt");
if (adopt) adopt.onclick = async () => (await send("host", {}, adopt))?.ok && location.assign("/host");
