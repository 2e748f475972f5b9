// What Lands Unknown shows of its table (companion/games/lands/view.py).

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
  /** Whether somebody has counted what lies before the seat; else nobody knows. */
  counted: boolean;
}

/** A space of the map, in millimetres; `exits` are the points where its tile may be left. */
interface Space {
  space: string;
  x: number;
  y: number;
  exits: [x: number, y: number][];
  cost: number;
  /** The spaces that can be gone to. */
  to: string[];
  landmark: boolean;
  /** Whether its fire is lit; `null`: there is no place for one. */
  fire: boolean | null;
  spring: string | null;
  seats: Seat[];
}

/** What people told of a tile; spaces count from 1. */
interface DescribedTile {
  card: string;
  spaces: [x: number, y: number][];
  costs: number[];
  ways: [one: number, other: number][];
  exits: [space: number, x: number, y: number][];
  landmarks: number[];
  fires: number[];
}

/** What nobody has told of a tile or a card; `told`: what was told of a tile that is described anew. */
interface AskedCard {
  card: string;
  keys: string[];
  told?: DescribedTile;
}

interface Fight {
  card: string;
  fighter: Seat;
  /** Who is near enough to support. */
  near: Seat[];
  defence: number | null;
  attack: number | null;
  life: number | null;
  lethal: boolean;
  /** A direction for each number of the red die; empty: nobody has entered it. */
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
  /** The tiles that are asked. */
  asks: AskedCard[];
  /** The cards of which somebody may say what is on them. */
  untold: AskedCard[];
  unknown: string[];
  described: DescribedTile[];
  fight: Fight | null;
}
