// Which cards have a frame in the picture of the table.

/**
 * `framed`: those in the tree. `dashed`: those in the pool, with one frame round them all.
 * @param {DiscoveryView} view
 */
export function frames({ tree = [], pool = [] }) {
  return { framed: tree.map(({ card }) => card), dashed: pool.flatMap((card) => (card === null ? [] : [card])) };
}
