import { partitionPoint } from './lower-bound.ts'

/**
 * Returns the `count` smallest items in ascending order; equal items keep their order. Finding a
 * few in a long list takes about one comparison per item; if `count` is large, all items are
 * sorted.
 *
 *     smallest(2, [5, 1, 4], (a, b) => a - b) // [1, 4]
 */
export function smallest<Item>(
  count: number,
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Item[] {
  if (count === 0) return []
  if (count > items.length / 8) return items.toSorted(compare).slice(0, count)
  const smallestItems: Item[] = []
  for (const item of items) {
    if (smallestItems.length === count && compare(item, smallestItems[count - 1]!) >= 0) continue
    const place = partitionPoint(0, smallestItems.length, (i) => compare(smallestItems[i]!, item) <= 0)
    if (smallestItems.length === count) smallestItems.pop()
    smallestItems.splice(place, 0, item)
  }
  return smallestItems
}
