// Carcassonne's view of its table (companion/games/carcassonne/view.py), and the data of its editor.

type Terrain = "mountain" | "grassland" | "sea";
/** In tile widths from a tile's north-west corner. */
type TilePoint = [x: number, y: number];

/** A segment of a tile: `edges` are the letters of the sides that it reaches. */
interface Segment {
  terrain: Terrain;
  edges: string;
  area: TilePoint[];
  spot: TilePoint;
}

/** The face of a tile; `ground` is the number of the segment below all others. */
interface TileFace {
  ground: number;
  segments: { terrain: Terrain; area: TilePoint[] }[];
  cities: { at: TilePoint }[];
}

/** A tile of the deck. */
interface Tile extends TileFace {
  id: string;
  segments: Segment[];
}

/** The place of a tile, and its clockwise quarter turns. */
interface LaidTile {
  card: string;
  x: number;
  y: number;
  turn: number;
}

/** A tile's segment, by the tile and its number there. */
type SegmentOf = [tile: string, segment: number];

interface Territory {
  terrain: Terrain;
  segments: SegmentOf[];
  tiles: number;
  cities: number;
  complete: boolean;
  now: number;
  final: number;
  followers: string[];
}

interface Follower {
  card: string;
  seat: Seat;
  tile: string;
  segment: number;
}

interface CarcassonneView {
  turn?: Seat | null;
  /** The tile that was laid in this turn. */
  tile?: string | null;
  map?: LaidTile[];
  followers?: Follower[];
  territories?: Territory[];
  /** The number of tiles left. */
  tiles?: number | null;
  to_remove?: number;
  discarded?: string[];
}

// -- the editor ----------------------------------------------------------------------------------

/** Two segments of a tile that meet, by their numbers. */
type Pair = [one: number, other: number];

/** A way in which a tile's sides are connected; `spots` are the places of followers for each quarter turn. */
interface Pattern {
  name: string;
  ground: number;
  meets: Pair[];
  segments: { edges: string; area: TilePoint[]; spots: TilePoint[] }[];
  cities: { pair: Pair; at: TilePoint }[];
}

/** A row of a deck file: the entered facts of a tile. In a file written by hand anything may be missing. */
interface TileRow {
  id: string;
  start?: boolean;
  segment: RowSegment[];
  meets?: Pair[];
  /** The borders with a city, land first. */
  city?: Pair[];
  source?: string;
}

type RowSegment = Pick<Segment, "terrain" | "edges" | "spot">;
