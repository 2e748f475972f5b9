// What the server tells the pages, as docs/contract.md says it. Each game's own types say what its `public` and its
// things are. Only the type checker reads this file.

/** A seat's number, from 1; 0 is the table itself, or nobody. */
type Seat = number;

/** One language's sentence; with `n` in it a singular and a plural. */
type Words = string | [singular: string, plural: string];

/** What a sentence's places are filled with. */
type Values = Record<string, string | number | null | undefined>;

/** `say` of live.js. */
type Say = (key: string, values?: Values) => string;

// -- the record (section 7) ----------------------------------------------------------------------

interface Move {
  do: string;
  by: Seat;
  card?: string;
  as?: string;
  number?: number;
  [key: string]: any;
}

interface Objection {
  rule: string;
  cards?: string[];
}

/** An entry of the record, as far as everybody may know it. */
interface Entry {
  number?: number;
  time_s?: number;
  origin?: "camera" | "phone" | "button" | "clock" | "table";
  event?: string;
  move?: Move | null;
  points?: number;
  objections?: Objection[];
  standing?: Standing;
  allows?: number;
  strikes?: number;
  claims?: number;
  settles?: number;
}

interface Standing {
  /** The seat to act. */
  turn: Seat | null;
  points: number[];
  owed: { seat: Seat; do: string }[];
  over: boolean;
  winners: Seat[];
  provisional?: true;
  /** Discovery's counters; another game has others in their place. */
  hands?: number[];
  stack?: number;
  trumps?: number;
  [counter: string]: any;
}

// -- updates: `GET /standing` and each event (section 8) -------------------------------------------

interface Question {
  number: number;
  text: string;
  answers: { text: string; seats: Seat[] }[];
}

/** A rule that the texts of an update speak of; `section` of the rule book, empty where it has none. */
interface Why {
  rule: string;
  section: string;
}

/** Where something lies that cannot be read; `at`: shares of the field's width and depth. */
interface UnreadPlace {
  text: string;
  zone: string;
  at: [x: number, y: number];
}

interface Update {
  match: string | null;
  number: number;
  signal: string | null;
  texts: string[];
  standing: Standing | null;
  /** What the game shows of its table. */
  public: any;
  entry: Entry | null;
  alert: "none" | "paused" | "asks" | "refused" | "disagrees" | "lost" | "trouble";
  asked: Question[];
  guide: string[];
  unread: UnreadPlace[];
  why: Why[];
  seats: string[];
}

/** A line of the log that a page keeps. */
type LogLine = Pick<Update, "number" | "signal" | "texts"> & { entry?: Entry | null; why?: Why[] };

/** A log line about a move. */
type MoveLine = LogLine & { entry: Entry & { move: Move } };

// -- who asks, and what may be said: `GET /seat` ---------------------------------------------------

/** Moves that may be made: one for each way to choose from `choices`. */
interface Offer {
  do: string;
  by: Seat;
  choices: Record<string, any[]>;
}

/** For the host: who sits where, and what may be said about it. */
interface Place {
  seat: Seat;
  name: string;
  here: boolean;
  bot: boolean;
  /** Why nobody may leave it or sit down there now. */
  why?: string | null;
  /** How many cards would change hands. */
  cards: number;
  /** Whose turn it would be. */
  next?: Seat | null;
}

interface SeatAnswer {
  seat: Seat | null;
  number: number;
  offers: Offer[];
  seats: Place[];
}

// -- what a page begins with -----------------------------------------------------------------------

/** A card, tile or stone of the deck. */
interface Thing {
  id: string;
  name: string;
  face?: string | null;
  family?: string | null;
  prerequisites?: string[];
  [fact: string]: any;
}

interface Match {
  id: string;
  game: string;
  profile: string;
  silent: boolean;
  scored: boolean;
  simulated: boolean;
  seats: { number: Seat; name: string; team?: string | null; bot?: boolean }[];
  options: Record<string, any> | null;
  host: string | null;
  cards: Thing[];
  /** The table's own deck in which pictures of its cards may be. */
  pictures: string | null;
  /** The cards of which there is one. */
  pictured: string[];
  /** The game has a choices.js, or a host.js. */
  choices: boolean;
  spoken: boolean;
}

/** The JSON in each page. */
interface Start {
  now: Update;
  said: Update;
  log: LogLine[];
  match: Match | null;
  me: { role: "spectator" | "seat" | "host"; seat: Seat | null };
  words: Record<string, Words>;
  language: string;
}

// -- answers of other routes -----------------------------------------------------------------------

/** What came of something that was sent; `body.detail` says what was wrong. */
interface Outcome {
  ok: boolean;
  status: number;
  body: any;
}

/** `GET /health`. */
interface Health {
  camera: string;
  source?: string;
  simulated?: boolean;
  pictures?: { size_px: [number, number]; rate_hz: number; trouble?: string | null } | null;
  sight: { name: string; value: number; good: boolean }[];
}

/** A fault of a deck as typed, and the path in its file. */
interface Fault {
  what: string;
  where: (string | number)[];
}

/** A card of a deck as typed. */
interface DeckCard {
  id: string;
  name?: Record<string, string>;
  family?: string;
  prerequisites?: string[];
}

/** A card that was read from a photograph: `GET /decks/NAME/readings`. */
interface CardReading {
  card: string;
  title: string;
  needs: string[];
  nothing: boolean;
  unknown: string[];
  edged: boolean;
}

/** How far a file is that the host sends: `GET /restore`, `GET /update`. */
interface UploadState {
  state: "idle" | "coming" | "checking" | "ready" | "refused" | "taken";
  last: string | null;
  bytes: number;
  received: number;
  why: string;
  made: string;
  changes: string[];
  now: string;
  version: string;
  code?: string | null;
}

/** `GET /wifi`. */
interface WifiState {
  state: "idle" | "working";
  own: boolean;
  now: string | null;
  networks: { name: string; secured: boolean; signal: number }[];
  last: string | null;
  address: string;
}

/** `GET /recording`. */
interface Recording {
  recording: boolean;
  ready: { seconds: number; bytes: number } | null;
  broken_off: string | null;
  seconds: number;
  of: number | null;
  ring: boolean;
  bytes: number;
}

/** `POST /box-check`: a piece of the box, and whether it was read. */
interface BoxPiece {
  token: string;
  number: string;
  name: string;
  read: boolean;
  wrong: string[];
}

interface BoxCheck {
  pieces: BoxPiece[];
  missing: number;
  lying: number;
  fresh: string[];
  unread: { small: number; smudged: number };
  foreign: number;
}

interface Zone {
  name: string;
  polygon: [x: number, y: number][];
}

/** `GET /zones`. */
interface ZoneTable {
  size_mm: [number, number];
  zone: Zone[];
  movable: boolean;
  why?: string | null;
}

/** `GET /simulated/seat`: a seat of the simulated table in the visitor's own hands. */
interface PlayedSeat {
  playing: boolean;
  hand: string[];
  astray: string[];
  called: string | null;
  waiting: number;
}

// -- what a game brings to the pages ---------------------------------------------------------------

/** Called on each update; `fresh` is false for what the page was opened with. */
type Draw = (update: Update, fresh: boolean) => void;

/** What `draw` of a game's table.js answers with. */
interface TableDraw extends Draw {
  /** What to do now, in words. */
  advice?: (offers: Offer[]) => string;
  /** Draws buttons of its own, and leaves the rest. */
  offered?: (offers: Offer[], number: number) => Offer[];
  /** 0 for a choice that makes sense, 1 for one that may, `null` for one that cannot. */
  rank?: Rank;
  /** For a visitor who plays a seat of the simulated table. */
  hand?: TableHand;
}

type Rank = (act: string, key: string, value: any) => number | null;

/** What can be taken up from the table, and where it may be laid. */
interface TableHand {
  surface: Element | null;
  surfaceZone: () => string;
  open: (view: any) => string[];
  discarded: (view: any) => [card: string, seat: Seat][];
  beside: (view: any) => string[];
  places: (seat: Seat) => { words: string; to: string }[];
}

/** Sends a match file as JSON. */
type Begin = (match: Record<string, any>, button: HTMLElement) => void;

/** How much of the deal was seen. */
interface Deal {
  seen: number;
  of: number;
  words: string;
}

/** A card of a stored match, and where it lay. */
interface StoredCard {
  id: string;
  x?: number;
  y?: number;
  by?: Seat;
  dealt?: boolean;
  [fact: string]: any;
}
