/** The address of the API in the source of pages and examples. */
const sourceAddress = 'http://127.0.0.1:8080'

/**
 * Matches the address, also where the highlighter has divided it into tokens. On a busy machine,
 * the highlighter gives up on a line after half a second, and takes `http:` for a label after it.
 */
const addressPattern = new RegExp(
  Array.from(sourceAddress, (character) => character.replace('.', '\\.')).join('(?:</span><span[^>]*>)*'),
  'g',
)

/** Replaces the API's address in a page or an example. */
export function replaceAddress(text: string, siteUrl: string): string {
  return text.replaceAll(addressPattern, () => siteUrl)
}
