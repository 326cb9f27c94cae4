/** Cuts a client's text for a message, and masks keys, even if percent-encoded several times. */
export function maskValue(text: string): string {
  const excerpt = [...text].slice(0, 60).join('')
  const decodedText = decodeFully(excerpt)
  const safeText = decodedText.includes('clk_') ? decodedText.replace(/clk_\w*/g, 'clk_…') : excerpt
  return excerpt.length < text.length ? safeText + '…' : safeText
}

/** Whether a text contains something that may be a key. */
export function mayContainKey(text: string): boolean {
  return decodeFully(text).includes('clk_')
}

/** Decodes percent-encoded ASCII repeatedly, until none is left. */
function decodeFully(text: string): string {
  const decodedText = text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return decodedText === text ? text : decodeFully(decodedText)
}

/** Returns the masked text in quotes. */
export function quoteValue(text: string): string {
  return JSON.stringify(maskValue(text))
}
