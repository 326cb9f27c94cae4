/** Counts the sentences of a message. Quotes and placeholders in braces count as words. */
export function countSentences(message: string): number {
  const text = message
    .replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x')
    .replace(/"(?:[^"\\]|\\.)*"/g, '"x"')
    .trim()
  return text.split(/[.!?]["”)]*\s+/).length
}
