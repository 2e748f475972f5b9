// For pages without a score: only reports when the table cannot be reached.

import { follow, start } from "./live.js";

const opened = start.now.match;
follow((update) => {
  start.now.match = update.match ?? opened;
});
