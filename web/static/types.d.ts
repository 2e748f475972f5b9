// The server's JSON, as in docs/contract.md. Each game has its own types for `public` and its things. Only the type
// checker reads this file.

/** A seat's number, from 1; 0 is the table itself, or no seat. */
type Seat = number;

/** A text in one language; singular and plural if it contains `n`. */
type Words = string | [singular: string, plural: string];

/** The values of a text's parameters. */
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

/** An entry of the record, its public part. */
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
  /** What a question is about. */
  readings?: Move[];
}

interface Standing {
  /** The seat to move. */
  turn: Seat | null;
  points: number[];
  owed: { seat: Seat; do: string }[];
  over: boolean;
  winners: Seat[];
  provisional?: true;
  /** Discovery's counters; other games have others. */
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
  /** Until it is answered the standing is provisional. */
  hangs?: true;
}

/** A rule that the texts of an update mention; `section` of the rule book, or empty. */
interface Why {
  rule: string;
  section: string;
}

/** The place of something unreadable; `at`: fractions of the field's width and depth. */
interface UnreadPlace {
  text: string;
  zone: string;
  at: [x: number, y: number];
}

/**
 * A correction of one entry that can be made now, at most one of each kind. An undo of `number` takes back what `text`
 * says. `by`: whose act it is now. `seats`: who may make it without the host.
 */
interface OfferedCorrection {
  do: "undo" | "claim" | "allow" | "camera-was-wrong";
  number: number;
  text: string;
  by: Seat | null;
  card: string | null;
  seats: Seat[];
}

interface Update {
  match: string | null;
  /** Another one: what was told of this match before is not to be gone on from. */
  generation: string | null;
  number: number;
  signal: string | null;
  texts: string[];
  standing: Standing | null;
  /** The game's public view of its table. */
  public: any;
  entry: Entry | null;
  alert: "none" | "paused" | "asks" | "refused" | "disagrees" | "lost" | "trouble";
  asked: Question[];
  guide: string[];
  unread: UnreadPlace[];
  why: Why[];
  corrections: OfferedCorrection[];
  seats: string[];
}

/** A line of the log that a page keeps. */
type LogLine = Pick<Update, "number" | "signal" | "texts"> & { entry?: Entry | null; why?: Why[] };

/** A log line about a move. */
type MoveLine = LogLine & { entry: Entry & { move: Move } };

// -- the user and the possible moves: `GET /seat` --------------------------------------------------

/** Possible moves: one for each combination of `choices`. */
interface Offer {
  do: string;
  by: Seat;
  choices: Record<string, any[]>;
}

/** For the host: a seat's player, and possible changes. */
interface Place {
  seat: Seat;
  name: string;
  here: boolean;
  bot: boolean;
  /** Why the player cannot leave or join now. */
  why?: string | null;
  /** Number of cards that would move. */
  cards: number;
  /** The seat that would be next. */
  next?: Seat | null;
}

interface SeatAnswer {
  seat: Seat | null;
  number: number;
  offers: Offer[];
  /** What this user can correct now. */
  corrections: OfferedCorrection[];
  seats: Place[];
}

// -- the data in a page ----------------------------------------------------------------------------

/** A card, tile or stone of the deck. */
interface Thing {
  id: string;
  name: string;
  face?: string | null;
  family?: string | null;
  prerequisites?: string[];
  /** The name with the places where it may break, in silent games. */
  syllables?: string;
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
  /** The table's own deck, which may have photos of its cards. */
  pictures: string | null;
  /** The cards with a photo. */
  pictured: string[];
  /** Whether the game has a choices.js, or a host.js. */
  choices: boolean;
  spoken: boolean;
  framed: boolean;
}

/** The JSON in each page. */
interface Start {
  now: Update;
  /** What is said first; `null`: `now` says it. */
  said: Update | null;
  log: LogLine[];
  match: Match | null;
  me: { role: "spectator" | "seat" | "host"; seat: Seat | null };
  words: Record<string, Words>;
  language: string;
}

// -- answers of other routes -----------------------------------------------------------------------

/** The outcome of a request; `body.detail` is the error. */
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

/** A fault of a deck, and its path in the file. */
interface Fault {
  what: string;
  where: (string | number)[];
}

/** A card of a deck as entered. */
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

/** The progress of an upload: `GET /restore`, `GET /update`. */
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

/** `GET /simulated/seat`: a seat of the simulated table that a visitor plays. */
interface PlayedSeat {
  playing: boolean;
  hand: string[];
  astray: string[];
  called: string | null;
  waiting: number;
  /** The lawful cards, with their points; not in silent games. */
  gains?: Record<string, number>;
}

// -- a game's scripts ------------------------------------------------------------------------------

/** Called on each update; `fresh` is false for the first one, from the page itself. */
type Draw = (update: Update, fresh: boolean) => void;

/** The result of `draw` in a game's table.js. */
interface TableDraw extends Draw {
  /** What to do now, in words. */
  advice?: (offers: Offer[]) => string;
  /** Draws its own buttons, and returns the other offers. */
  offered?: (offers: Offer[], number: number) => Offer[];
  /** 0 for a promising choice, 1 for a possible one, `null` for a hopeless one. */
  rank?: Rank;
  /** For a visitor who plays a seat of the simulated table. */
  hand?: TableHand;
  /** For a television: a picture of what an entry is about, and where it lies in the drawing now. */
  token?: (entry: Entry) => Element | null;
  place?: (entry: Entry) => HTMLElement | SVGElement | null;
  /** For a television: what comes next, beside the seat to move. */
  hint?: (update: Update) => string;
  /** For a television, at the end: marks the winners' things and the best turn. */
  ended?: (winners: Seat[], best: BestTurn | null, entries: Entry[]) => void;
  /** What a turn was about, in pictures and words. */
  story?: (turn: BestTurn) => { face: Element | null; words: string }[];
}

/** The turn that earned most, from the record. */
interface BestTurn {
  seat: Seat;
  points: number;
  /** Its entries that brought something, and its place among all turns, from 1. */
  entries: Entry[];
  turn: number;
}

/** A game's choices.js. */
interface ChoicesScript {
  /** The text for one value of a key; `null`: the default text. */
  label?: (key: string, value: any, move: Partial<Move>) => string | null | undefined;
  /** A picture on which the values of a key are chosen, instead of buttons; `null`: none. */
  map?: (key: string, values: any[], choose: (value: any) => void) => HTMLElement | null;
}

type Rank = (act: string, key: string, value: any) => number | null;

/** What can be taken from the table, and where it can be placed. */
interface TableHand {
  surface: Element | null;
  surfaceZone: () => string;
  open: (view: any) => string[];
  discarded: (view: any) => [card: string, seat: Seat][];
  /** The cards that count as laid. */
  laid: (view: any) => string[];
  /** `held`: the card comes from the hand. */
  places: (seat: Seat, held: boolean) => { words: string; to: string }[];
}

/** Sends a match file as JSON. */
type Begin = (match: Record<string, any>, button: HTMLElement) => void;

/** How much of the deal was seen. */
interface Deal {
  seen: number;
  of: number;
  words: string;
}

/** A card of a stored match, and its place. */
interface StoredCard {
  id: string;
  x?: number;
  y?: number;
  by?: Seat;
  dealt?: boolean;
  [fact: string]: any;
}
