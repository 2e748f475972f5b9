// A page without a score still says when the table is out of reach, and that is all.

import { follow, start } from "./live.js";

const opened = start.now.match;
follow((news) => {
  start.now.match = news.match ?? opened;
});
