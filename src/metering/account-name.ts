import { codePointLength } from '#kit/code-points.ts'

/**
 * The name of an account as it is stored and shown: trimmed and NFC.
 *
 * @throws {Error} it cannot be one
 */
export function accountName(text: string): string {
  const name = text.trim().normalize('NFC')
  if (name === '' || codePointLength(name) > 128) {
    throw new Error(`cannot use the account name "${name}": it must have 1 to 128 characters`)
  }
  if (/\p{C}/u.test(text)) {
    throw new Error(
      `cannot use the account name ${escapeText(text)}: it must not contain invisible characters`,
    )
  }
  return name
}

/**
 * The name of an account that is created or renamed. A key is refused: names appear in logs and
 * lists.
 *
 * @throws {Error} it cannot be one
 */
export function newAccountName(text: string): string {
  const name = accountName(text)
  if (/^clk_/i.test(name))
    throw new Error('an account name cannot begin with "clk_", because keys do. Choose another name')
  return name
}

/**
 * What two names are compared by: NFKC, full case folding, and nothing that is not drawn
 * (https://www.unicode.org/reports/tr31/#NFKC_Modifications). Names that look the same are one.
 */
export function foldName(name: string): string {
  const foldedName = Array.from(name.normalize('NFKC'), foldCase).join('')
  return foldedName.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC')
}

/** One character at a time: a text in lower case ends in another sigma than one in upper case. */
function foldCase(character: string): string {
  return character.toLowerCase().toUpperCase().toLowerCase()
}

/** The text as JSON, with what cannot be seen in it as an escape sequence. */
function escapeText(text: string): string {
  return JSON.stringify(text).replace(
    /\p{C}/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
