/** Counts the sentences of a message. What it quotes, and what is inserted in braces, counts for none. */
export function countSentences(message: string): number {
  const text = message
    .replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x')
    .replace(/"(?:[^"\\]|\\.)*"/g, '"x"')
    .trim()
  return text.split(/[.!?]["”)]*\s+/).length
}
