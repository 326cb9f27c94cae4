/** Compares spellings by three measures, from the strictest to the loosest. */

/** "All ids, headwords and text are NFC." */
export function nfc(text: string): string {
  return text.normalize('NFC')
}

/** "Matching ignores case by the language's own rules (Turkish ı/i)" */
function lowerCase(text: string, language: string): string {
  return language === 'tr' || language === 'az' ? text.toLocaleLowerCase(language) : text.toLowerCase()
}

/**
 * "ignoring case": NFC again once in lower case, for Ϊ and an acute are two letters where ΐ is one.
 * The spelling of `/words/{word}/clips` and of the catalogue's "unique in its language ignoring
 * case". "takes ’ for ' and NFC for granted"; a final ς is σ. Nothing is stripped.
 */
export function ignoringCase(text: string, language: string): string {
  const straight = nfc(text).replace(/[’‘ʼ]/gu, "'")
  // "the combining dot" that other software puts above an i says nothing
  return nfc(lowerCase(straight, language).replaceAll('ς', 'σ').replaceAll('i\u0307', 'i'))
}

/**
 * "text as spoken, without the punctuation around it": removes from both ends every character that
 * is not a letter, digit or mark.
 */
export function stripPunctuation(text: string): string {
  return text.replace(/^[^\p{L}\p{N}\p{M}]+/u, '').replace(/[^\p{L}\p{N}\p{M}]+$/u, '')
}

/**
 * The key under which tokens, headwords and forms meet: "ignores case by the language's own rules",
 * "strips punctuation around a token, and holds hyphen and space inside a headword for the same".
 * Punctuation around a part, between blanks or hyphens, is also removed: "rock-'n'-roll" is "rock
 * 'n' roll". An empty key is never matched.
 */
export function keyOf(text: string, language: string): string {
  const parts = ignoringCase(text, language).split(/[-‐‑\s]/u)
  const bare = parts.map(stripPunctuation)
  return bare.filter((part) => part !== '').join(' ')
}

/**
 * "matching ignores case (by the language's own rules) and Latin, Greek and Cyrillic diacritics (й
 * is и, ё is е; ø, ł, ß, ı stay)": the spelling that `GET /words` compares.
 */
export function foldForSearch(text: string, language: string): string {
  const apart = ignoringCase(text, language).normalize('NFD')
  const bare = apart.replace(
    /(?=\p{L})([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu,
    (_all, base: string) => base,
  )
  return nfc(bare)
}
