/** Does some work with every item, with so many at a time. @throws the first error of the work */
export async function eachInParallel<Item>(
  items: Iterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = Iterator.from(items)
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}
