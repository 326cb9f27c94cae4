/** Without acute, grave, circumflex and tilde on vowels: á, à, â and ã are a; ñ, ç and ü stay. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/([aeiou])[\u0300\u0301\u0302\u0303]/gi, '$1')
    .normalize('NFC')
}
