import { expect, test } from 'vitest'
import { ClipAnalyser } from '#nightly/index/clip-analyser.ts'
import { tokeniseCues } from '#nightly/index/tokenise.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { SourceCue } from '#corpus/source-clip.ts'

const word: CatalogueWord = { language: 'ja', wordId: 1, word: '家', level: 'A1', meanings: {}, forms: [] }

/** Returns the tokens of a line with their readings: `昨日=きのう は`. */
function readingsIn(cue: Partial<SourceCue> & { text: string }, language: string): string {
  const cues = tokeniseCues([{ tStart: 0, tEnd: 2, ...cue }], language)
  new ClipAnalyser(language, [word]).analyse(cues, null, true)
  return cues[0]!.tokens.map(({ text, reading }) => (reading ? `${text}=${reading}` : text)).join(' ')
}

test('reads Japanese tokens in hiragana, and gives tokens in kana or Latin letters no reading', () => {
  const expected = '昨日=きのう は iPhone で ヴァイオリン を 3=さん 人=にん と 聞=き い た'
  expect(readingsIn({ text: '昨日はiPhoneでヴァイオリンを3人と聞いた。' }, 'ja')).toBe(expected)
})

test('reads Chinese tokens in pinyin, as their neighbours require', () => {
  const expected = '我在=wǒzài 银行=yínháng 工作=gōngzuò 长大=zhǎngdà 了=le 穿=chuān T 恤=xù'
  expect(readingsIn({ text: '我在银行工作，长大了。穿T恤🌱' }, 'zh')).toBe(expected)
  expect(readingsIn({ text: '女儿反而' }, 'zh')).toBe("女儿=nǚ'ér 反而=fǎn'ér")
})

test('gives a token of several words their combined reading, and a part of a reading only if kana separate it', () => {
  const timed = (...texts: string[]) => texts.map((text, i) => ({ text, tStart: i / 10, tEnd: (i + 1) / 10 }))
  expect(readingsIn({ text: '食べました', words: timed('食べました') }, 'ja')).toBe('食べました=たべました')
  expect(readingsIn({ text: '思い出す', words: timed('思い', '出す') }, 'ja')).toBe('思い=おもい 出す=だす')
  expect(readingsIn({ text: '昨日', words: timed('昨', '日') }, 'ja')).toBe('昨 日')
})
