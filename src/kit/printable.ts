/** Control characters, and characters that change the direction or the position of others. */
const unsafe = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Escapes everything in a text that a terminal would interpret, such as escape sequences in a file
 * name. Tabs and line ends stay only with `isLines`.
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
