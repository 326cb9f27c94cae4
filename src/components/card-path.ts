/** The address of a page's social card, by the id of the page; the front page has the empty one. */
export function cardPath(id: string): string {
  return `/cards/${id === '' ? 'index' : id.replace(/\/$/, '')}.png`
}
