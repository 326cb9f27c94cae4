import type { Cue } from '#contract/transcript.ts'

/** Words in kana that are not pronounced as they are written. */
const pronunciations: Readonly<Record<string, string>> = {
  は: 'わ',
  へ: 'え',
  では: 'でわ',
  には: 'にわ',
  とは: 'とわ',
}

/** Kanji of the sample corpus whose readings a build does not find. */
const missingReadings: Readonly<Record<string, string>> = {
  二十: 'にじゅっ',
  分: 'ぷん',
  気: 'き',
  取: 'ど',
  蕎麦: 'そば',
  屋: 'や',
}

/**
 * Returns a Japanese line in kana for the synthesiser, which cannot read kanji. Kanji whose reading
 * is not known are left out.
 */
export function kanaOf({ text, words }: Pick<Cue, 'text' | 'words'>): string {
  const characters = [...text]
  for (const { text: word, start, end, reading } of words) {
    if (start === undefined) continue
    characters.fill('', start, end)
    characters[start] = pronunciations[word] ?? reading ?? missingReadings[word] ?? word
  }
  return characters.join('').replaceAll(/\p{Script=Han}/gu, '')
}
