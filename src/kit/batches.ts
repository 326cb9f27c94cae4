/**
 * Groups items into batches, which end where they reach the size `maxSize` or length `maxCount`.
 *
 *     [...batches([3, 1, 2, 5], (n) => n, 4, 10)] // [[3, 1], [2, 5]]
 */
export function* batches<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  maxSize: number,
  maxCount: number,
): Generator<Item[]> {
  let batch: Item[] = []
  let size = 0
  for (const item of items) {
    batch.push(item)
    size += sizeOf(item)
    if (size < maxSize && batch.length < maxCount) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}
