// A page without a score still says when the table is out of reach, and that is all.

import { follow, start } from "./live.js";

const opened = start.now.match;
follow((update) => {
  start.now.match = update.match ?? opened;
});
