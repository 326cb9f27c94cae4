/** Controls, and characters that change the direction or the place of others. */
const unsafe = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/**
 * A text without what a terminal acts on, such as escape sequences in the name of a file. Blanks
 * and ends of lines stay only if `isLines`.
 *
 *     printable('a\u001b[2Jb\n') // 'a\\u001b[2Jb\\u000a'
 */
export function printable(text: string, { isLines = false } = {}): string {
  return text.replace(unsafe, (character, at: number) =>
    isLines && (/[\t\n]/.test(character) || text.startsWith('\r\n', at))
      ? character
      : `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}
