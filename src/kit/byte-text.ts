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
