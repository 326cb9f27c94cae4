/**
 * Returns a record with the same keys, whose values are those that `map` returns.
 *
 *     mapValues({ a: 1, b: 2 }, (n) => 2 * n) // { a: 2, b: 4 }
 */
export function mapValues<Key extends string, Value, Result>(
  record: Readonly<Record<Key, Value>>,
  map: (value: Value) => Result,
): Record<Key, Result> {
  const entries = Object.entries<Value>(record).map(([key, value]) => [key, map(value)])
  return Object.fromEntries(entries) as Record<Key, Result>
}
