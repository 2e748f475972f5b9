// What Discovery shows of its table (companion/games/discovery/view.py).

interface DiscoveryView {
  /** Card ids in order; `null` is a card that nobody knows. */
  pool?: (string | null)[];
  /** Card ids by seat. */
  discards?: string[][];
  stack?: number | null;
  trumps?: number;
  series?: { index: number; last: string[]; next: number };
  eras?: { opened: number[]; closed: number[] };
  /** Not in silent games: the cards that were laid, and what the public ones still lack. */
  tree?: TreeEntry[];
  teach?: Record<string, string[]>;
  /** In silent games: the uppermost card of the pile. */
  top?: string | null;
}

/** A card of the tree; a joker lies for a card. */
interface TreeEntry {
  card: string;
  by: Seat;
  era: number;
  joker?: string;
}
