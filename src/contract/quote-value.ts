/**
 * A caller's text as messages show it: cut to a readable length, and without anything that looks
 * like a key, however often it is percent-encoded.
 */
export function shownValue(text: string): string {
  const cut = [...text].slice(0, 60).join('')
  const decoded = decodeFully(cut)
  const shown = decoded.includes('clk_') ? decoded.replace(/clk_\w*/g, 'clk_…') : cut
  return cut.length < text.length ? shown + '…' : shown
}

/** Decodes percent-encoded ASCII until none is left. */
function decodeFully(text: string): string {
  const decoded = text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return decoded === text ? text : decodeFully(decoded)
}

/** The same in quotes. */
export function quoteValue(text: string): string {
  return JSON.stringify(shownValue(text))
}
