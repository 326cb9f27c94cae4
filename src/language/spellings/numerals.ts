/** Counted words that are also written with digits: not 十分 (enough) and 一点 (a little). */
const countedWord: Readonly<Record<string, RegExp>> = {
  ja: /^()([一二三四五六七八九十百]+)((?:日|月|人|つ|番|年|時|歳|才|度|回|階|杯|本|枚|匹|冊|個|台|週|割|円|名|等)(?:目|間|中|生)?)$/,
  zh: /^(第|星期|礼拜|周|)([一二三四五六七八九十百]+)(月|天|个|年|号|)$/,
}

const digits = '一二三四五六七八九'

/** Words that usually do not count anything: "most", "for a while" and "full". */
const idioms = new Set(['一番', '一時', '一杯'])

/** Matches a numeral below 1,000. In Chinese, a hundred and a following ten have a 一: 一百一十. */
const numeralForm = new RegExp(`^(?:([${digits}]?)(百))?(?:([${digits}]?)(十))?([${digits}]?)$`)

/**
 * Returns the spellings of a counted word with digits, in both widths.
 *
 *     digitSpellings('二十日', 'ja') // ['20日', '２０日']
 */
export function digitSpellings(word: string, language: string): string[] {
  if (idioms.has(word)) return []
  const [, before = '', numeral, counter = ''] = countedWord[language]?.exec(word) ?? []
  const number = numeral === undefined ? null : numberOf(numeral)
  if (number === null || before + counter === '') return []
  const wide = String(number).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  return [number, wide].map((spelling) => before + spelling + counter)
}

/** Returns the number of a numeral below 1,000; null if it is not one. */
function numberOf(numeral: string): number | null {
  const parts = numeralForm.exec(numeral)
  if (!parts) return null
  const [, hundreds = '', hundred, tens = '', ten, ones = ''] = parts
  const value = (count: string, sign: string | undefined) => (sign ? digits.indexOf(count || '一') + 1 : 0)
  return 100 * value(hundreds, hundred) + 10 * value(tens, ten) + digits.indexOf(ones || ' ') + 1
}
