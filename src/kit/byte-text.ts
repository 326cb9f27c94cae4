/**
 * The UTF-8 of a text as a byte text: one character a byte (latin1). V8 makes one out of bytes in
 * less time than a Buffer, and in a fraction of the time of the text. One of ASCII is its own.
 *
 *     toByteText('né') // 'nÃ©'
 */
export function toByteText(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length
  return isAscii ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/**
 * Texts with commas between them. They are not copied, as `join` would, but only once, with all
 * that is put together with them.
 *
 *     withCommas(['a', 'b']) // 'a,b'
 */
export function withCommas(texts: readonly string[]): string {
  let list = texts[0] ?? ''
  for (let i = 1; i < texts.length; i++) list += `,${texts[i]}`
  return list
}
