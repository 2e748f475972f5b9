// Discovery's view of its table (companion/games/discovery/view.py).

interface DiscoveryView {
  /** Card ids in order; `null` is an unknown card. */
  pool?: (string | null)[];
  /** Card ids by seat. */
  discards?: string[][];
  stack?: number | null;
  trumps?: number;
  series?: { index: number; last: string[]; next: number };
  eras?: { opened: number[]; closed: number[] };
  /** Not in silent games: the placed cards, and the missing prerequisites of the public ones. */
  tree?: TreeEntry[];
  teach?: Record<string, string[]>;
  /** In silent games: the uppermost card of the pile. */
  top?: string | null;
}

/** A card of the tree; a joker replaces a card. */
interface TreeEntry {
  card: string;
  by: Seat;
  era: number;
  joker?: string;
}
