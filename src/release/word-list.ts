/** A published page of a word→clips list: one JSON document, each item on a line of its own, so that it can be cut without being parsed. */

/** The text of a page. `items` are JSON texts without line breaks. */
export function formatWordList(
  head: { wordId: number; language: string; page: number; pages: number },
  items: readonly string[],
): string {
  return `${JSON.stringify(head).slice(0, -1)},"items":[\n${items.join(',\n')}\n]}\n`
}

/** The JSON texts of the items of a page. */
export function cutWordList(text: string): string[] {
  const lines = text.split('\n').slice(1, -2)
  return lines.map((line) => (line.endsWith(',') ? line.slice(0, -1) : line))
}
