// Lands Unknown's view of its table (companion/games/lands/view.py).

type Resource = "food" | "meat" | "water" | "dirty-water" | "wood" | "stone" | "poison" | "find" | "medicine";
type Damage = "hunger" | "thirst" | "disease" | "skull";

/** A seat's sheet. */
interface Sheet {
  stamina: number;
  damage: Record<Damage, number>;
  resources: Record<Resource, number>;
  cards: { card: string; name: string | null; quest: boolean; makes: string | null; cost: Resource[] }[];
  items: number;
  dead: boolean;
  left: boolean;
  /** Whether the seat uses counters; else they are unknown. */
  counted: boolean;
}

/** A space of the map, in millimetres; `exits` are the points where a way leaves its tile. */
interface Space {
  space: string;
  x: number;
  y: number;
  exits: [x: number, y: number][];
  cost: number;
  /** The spaces that can be reached. */
  to: string[];
  landmark: boolean;
  /** Whether its fire is lit; `null`: it has no fireplace. */
  fire: boolean | null;
  spring: string | null;
  seats: Seat[];
}

/** The players' description of a tile; spaces are numbered from 1. */
interface DescribedTile {
  card: string;
  spaces: [x: number, y: number][];
  costs: number[];
  ways: [one: number, other: number][];
  exits: [space: number, x: number, y: number][];
  landmarks: number[];
  fires: number[];
}

/** The missing facts of a tile or a card; `told`: the old description of a tile that is described again. */
interface AskedCard {
  card: string;
  keys: string[];
  told?: DescribedTile;
}

interface Fight {
  card: string;
  fighter: Seat;
  /** The seats near enough to support. */
  near: Seat[];
  defence: number | null;
  attack: number | null;
  life: number | null;
  lethal: boolean;
  /** A direction for each number of the red die; empty: not entered. */
  compass: string[];
}

interface LandsView {
  turn: Seat | null;
  free: boolean;
  done: Seat[];
  first: Seat | null;
  day: number;
  night: boolean;
  resolved: boolean;
  most_items: number;
  most_stamina: number;
  projects: number;
  sheets: Sheet[];
  tile_mm: number;
  map: Space[];
  tiles: { card: string; x: number; y: number; turn: number }[];
  /** The tiles to describe. */
  asks: AskedCard[];
  /** The cards that may be described. */
  untold: AskedCard[];
  unknown: string[];
  described: DescribedTile[];
  fight: Fight | null;
}
