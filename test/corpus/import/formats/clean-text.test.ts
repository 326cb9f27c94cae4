import { expect, test } from 'vitest'
import { cleanText } from '#corpus/import/formats/clean-text.ts'

test.each([
  ['<i>Good</i> <b>morning</b>', 'Good morning'],
  ['<v Ada Lovelace>Good</v> <c.loud.green>morning</c>', 'Good morning'],
  ['<font color="#fff" size=3>Good</font><br/>morning', 'Good morning'],
  ['Good<00:00:01.500><c> morning</c>', 'Good morning'],
  ['{\\an8}Good morning', 'Good morning'],
  ['<ruby>東京<rp>（</rp><rt>とうきょう</rt><rp>）</rp></ruby>へ', '東京へ'],
  ['{\\pos(1,2)\\fad(0,9)}Good {y:i}morning', 'Good morning'],
  ['Good\\hmorning,\\NAda. \\n- Hello.', 'Good morning, Ada. - Hello.'],
  ['Good[br]morning', 'Good morning'],
  ['&amp;lt;i&amp;gt;Good&amp;lt;/i&amp;gt; morning', 'Good morning'],
  ['<small>Good</small> <a href="x">morning</a> m<sup>2</sup>', 'Good morning m2'],
])('drops the markup of %j', (raw, text) => expect(cleanText(raw)).toBe(text))

const plain = [
  'the <pad> token',
  'a < b and c > d',
  'the set {1, 2}',
  '<bold>',
  'a <div> here',
  'C:\\new, \\n',
]
test.each(plain)('keeps %j, which only looks like markup', (text) => expect(cleanText(text)).toBe(text))

test.each([
  ['salt &amp; pepper', 'salt & pepper'],
  ['1 &lt; 2 &gt; 0', '1 < 2 > 0'],
  ['don&#39;t &#x2014; &quot;no&quot;', `don't — "no"`],
  ['&amp;lt; it&amp;amp;#39;s', "< it's"],
  ['R&D; &unknown; &#xd800; &#1114112;', 'R&D; &unknown; &#xd800; &#1114112;'],
  ['&lt;i&gt;', '<i>'],
])('decodes the entities of %j', (raw, text) => expect(cleanText(raw)).toBe(text))

test('turns all whitespace into spaces and drops invisible characters', () => {
  const expected = 'Good morning'
  expect(cleanText('\u3000Good\u00a0\n\t morning&nbsp;\u200b\u0007\u200e\u202b\u202c\u2067 ')).toBe(expected)
})

test('reads the controls that windows-1252 has characters for as those, as HTML does', () => {
  const expected = 'It isn’t…over “now” – ’til'
  expect(cleanText('It isn\u0092t\u0085over\u0081 \u0093now\u0094 \u0096 &#146;til')).toBe(expected)
})

test('returns NFC, without ligatures', () => {
  expect(cleanText('cafe\u0301 \ufb01nd')).toBe('caf\u00e9 find')
})
