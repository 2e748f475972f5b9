// Darwinci's view of its table (companion/games/darwinci/view.py).

/** A bone tile: `ends` are the sides that its bone reaches. */
interface BoneTile {
  id: string;
  ends: string;
  value: number;
  jewels: string[];
}

/** A tile of a plot, with its clockwise quarter turns. */
interface PlotTile extends Omit<BoneTile, "id"> {
  card: string;
  x: number;
  y: number;
  turn: number;
}

/** A seat's stones: `n` small ones, and whether its big one is among them. */
interface StoneGroup {
  seat: Seat;
  n: number;
  big: boolean;
}

interface TileOffer {
  seat: Seat;
  card: string;
  stones: StoneGroup[];
  leads: Seat | null;
}

interface DarwinciView {
  turn: Seat | null;
  round: number;
  /** The number of the bidding turn; 0 = no bidding. */
  bidding: number;
  first: Seat;
  holder: Seat;
  /** Each seat's stones. */
  colours: string[];
  darwin: number[];
  plots: PlotTile[][];
  offers: TileOffer[];
  reserves: StoneGroup[][];
  won: { card: string; to: Seat; from: Seat }[];
  bids: { seat: Seat; must: number; may: number; done: boolean }[];
  ending: boolean;
  tied: Seat[];
}
