import { expect, test } from 'vitest'
import { readInContext } from '#language/analysers/japanese-readings.ts'

/** `一/いち 本/ほん`: morphemes with the readings that they have on their own. */
const morphemes = (text: string) =>
  text.split(' ').map((each) => {
    const [surface, reading] = each.split('/')
    return { surface: surface!, reading: reading! }
  })

test.each([
  ['一/いち 本/ぽん', 'いっ ぽん'],
  ['二/に 本/ぽん', 'に ほん'],
  ['三/さん 本/ぽん', 'さん ぼん'],
  ['何/なん 本/ぽん', 'なん ぼん'],
  ['六/ろく 匹/ひき', 'ろっ ぴき'],
  ['八/はち 回/かい', 'はっ かい'],
  ['二十/にじゅう 冊/さつ', 'にじゅっ さつ'],
  ['六/ろく 冊/さつ', 'ろく さつ'],
  ['百/ひゃく 個/こ', 'ひゃっ こ'],
  ['三/さん 階/かい', 'さん がい'],
  ['三/さん 回/かい', 'さん かい'],
  ['三/さん 分/ふん', 'さん ぷん'],
  ['四/よん 分/ふん', 'よん ぷん'],
  ['三/さん 分/ぶん の/の 一/いち', 'さん ぶん の いち'],
  ['一/いち 週間/しゅうかん', 'いっ しゅうかん'],
  ['四/よん 時/じ', 'よ じ'],
  ['十九/じゅうきゅう 時/じ', 'じゅうく じ'],
  ['七/なな 時間/じかん', 'しち じかん'],
  ['九/きゅう 月/がつ', 'く がつ'],
  ['四/よん 人/にん', 'よ にん'],
  ['一/いち 期/き 一会/いちえ', 'いち ご いちえ'],
  ['日曜/にちよう 日/ひ', 'にちよう び'],
  ['何/なん も/も', 'なに も'],
  ['何/なん で/で', 'なん で'],
  ['気/き に/に 入っ/はいっ て/て', 'き に いっ て'],
  ['部屋/へや に/に 入っ/はいっ', 'へや に はいっ'],
  ['日本/にほん の/の 本/ほん', 'にほん の ほん'],
  ['私/わたくし は/は', 'わたし は'],
])('%s is read %s', (text, readings) => expect(readInContext(morphemes(text)).join(' ')).toBe(readings))
