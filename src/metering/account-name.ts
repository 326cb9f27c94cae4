import { codePointLength } from '#kit/code-points.ts'

/**
 * Returns the name of an account as it is stored and shown: trimmed and NFC.
 *
 * @throws {Error} it is not a valid name
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
 * Returns the name for a new or renamed account. Refuses a key: names appear in logs and lists.
 *
 * @throws {Error} it is not a valid name
 */
export function newAccountName(text: string): string {
  const name = accountName(text)
  if (/^clk_/i.test(name))
    throw new Error('an account name cannot begin with "clk_", because keys do. Choose another name')
  return name
}

/**
 * Returns the form in which names are compared: NFKC, with full case folding, and without invisible
 * characters (https://www.unicode.org/reports/tr31/#NFKC_Modifications). Names that look the same
 * are equal.
 */
export function foldName(name: string): string {
  // Folds one character at a time, because the lower case of Σ depends on the letters around it.
  const foldCase = (character: string) => character.toLowerCase().toUpperCase().toLowerCase()
  const foldedName = Array.from(name.normalize('NFKC'), foldCase).join('')
  return foldedName.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC')
}

/** Returns the text as JSON, with escape sequences for invisible characters. */
function escapeText(text: string): string {
  return JSON.stringify(text).replace(
    /\p{C}/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
