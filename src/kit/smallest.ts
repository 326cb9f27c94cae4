import { partitionPoint } from './lower-bound.ts'

/**
 * The `count` smallest items in ascending order; equal ones keep their order. To find a few in a
 * long list takes about one comparison per item; if many are wanted, all items are sorted.
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
  const found: Item[] = []
  for (const item of items) {
    if (found.length === count && compare(item, found[count - 1]!) >= 0) continue
    const place = partitionPoint(0, found.length, (i) => compare(found[i]!, item) <= 0)
    if (found.length === count) found.pop()
    found.splice(place, 0, item)
  }
  return found
}
