/** Words for which Sudachi prefers a rare reading. */
const usualReadings: Readonly<Record<string, string>> = { 私: 'わたし', 何時: 'なんじ', 何人: 'なんにん' }

/** Counters, with the consonant that changes after some numbers. */
const counters: Readonly<Record<string, string>> = {
  回: 'かい',
  階: 'かい',
  個: 'こ',
  軒: 'けん',
  件: 'けん',
  曲: 'きょく',
  か月: 'かげつ',
  ヶ月: 'かげつ',
  カ月: 'かげつ',
  冊: 'さつ',
  歳: 'さい',
  才: 'さい',
  足: 'そく',
  週間: 'しゅうかん',
  頭: 'とう',
  点: 'てん',
  着: 'ちゃく',
  本: 'ほん',
  杯: 'はい',
  匹: 'ひき',
  分: 'ふん',
  泊: 'はく',
}

/** The short readings of numbers before some units, by the readings that Sudachi gives. */
const shortNumbers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  時: { よん: 'よ', なな: 'しち', きゅう: 'く' },
  月: { よん: 'し', なな: 'しち', きゅう: 'く' },
  年: { よん: 'よ' },
  人: { よん: 'よ' },
}

const number = /^[〇一二三四五六七八九十百千万何0-9０-９]+$/
/** Particles before which 何 is read なに. Before で, と and の, it is なん. */
const afterNani = /^[をがもかに]$|^から$|^より$/

const toB: Readonly<Record<string, string>> = { は: 'ば', ひ: 'び', ふ: 'ぶ', へ: 'べ', ほ: 'ぼ' }
const toP: Readonly<Record<string, string>> = { は: 'ぱ', ひ: 'ぴ', ふ: 'ぷ', へ: 'ぺ', ほ: 'ぽ' }
const toG: Readonly<Record<string, string>> = { 階: 'がい', 軒: 'げん', 足: 'ぞく' }

/**
 * Returns the readings of morphemes in context, in hiragana, because Sudachi returns the reading of
 * each on its own.
 *
 *     一|本 // いっ|ぽん, not いち|ほん
 *     日曜|日 // にちよう|び, not にちよう|ひ
 */
export function readInContext(morphemes: readonly { surface: string; reading: string }[]): string[] {
  const readings = morphemes.map(({ surface, reading }) => usualReadings[surface] ?? reading)
  for (const [i, { surface }] of morphemes.entries()) {
    const before = morphemes[i - 1]?.surface ?? ''
    const after = morphemes[i + 1]?.surface ?? ''
    if (surface === '何' && afterNani.test(after)) readings[i] = 'なに'
    if (surface === '日' && before.endsWith('曜')) readings[i] = 'び'
    if (/^入[らりっるれろ]?/.test(surface) && before === 'に' && morphemes[i - 2]?.surface === '気')
      readings[i] = readings[i]!.replace(/^はい/, 'い')
    if (surface === '期' && before === '一' && after === '一会') readings[i] = 'ご'
    if (number.test(before))
      for (const [ending, short] of Object.entries(shortNumbers[surface.replace(/^時間$/, '時')] ?? {}))
        readings[i - 1] = readings[i - 1]!.replace(new RegExp(`${ending}$`), short)
    const counter = counters[surface]
    // 三分の一 means a third.
    const isFraction = surface === '分' && after === 'の' && number.test(morphemes[i + 2]?.surface ?? '')
    if (counter !== undefined && number.test(before) && !isFraction)
      [readings[i - 1], readings[i]] = countedReadings(readings[i - 1]!, counter, surface)
  }
  return readings
}

/** Returns the readings of a number and its counter: いち and ほん become いっ and ぽん. */
function countedReadings(numberReading: string, counter: string, surface: string): [string, string] {
  const consonant = counter[0]!
  const isInH = consonant in toP
  const isInK = /[かきくけこ]/.test(consonant)
  if (/(?:さん|せん|まん|なん)$/.test(numberReading)) {
    if (isInH) {
      const isSoft = surface === '分' || surface === '泊'
      return [numberReading, (isSoft ? toP : toB)[consonant]! + counter.slice(1)]
    }
    return [numberReading, toG[surface] ?? counter]
  }
  if ((isInH || isInK ? /(?:いち|はち|じゅう|ろく|ひゃく)$/ : /(?:いち|はち|じゅう)$/).test(numberReading)) {
    const doubledNumber = numberReading.replace(/[ちくう]$/, 'っ')
    return [doubledNumber, isInH ? toP[consonant]! + counter.slice(1) : counter]
  }
  const isFourMinutes = surface === '分' && numberReading.endsWith('よん')
  return [numberReading, isFourMinutes ? 'ぷん' : counter]
}
