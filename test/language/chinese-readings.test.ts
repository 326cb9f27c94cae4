import { expect, test } from 'vitest'
import { openChinese } from '#language/analysers/chinese.ts'

const chinese = openChinese({ headwords: [], has: () => false })

test.each([
  ['包子和饺子', 'bāo zi hé jiǎo zi'],
  ['我們的朋友', 'wǒ men de péng you'],
  ['谢谢，你先试试', 'xiè xie nǐ xiān shì shi'],
  ['再试试', 'zài shì shi'],
  ['多少钱', 'duō shao qián'],
  ['恰到好处', 'qià dào hǎo chù'],
  ['忍不住', 'rěn bu zhù'],
  ['小学生', 'xiǎo xué sheng'],
  ['大学生活', 'dà xué shēng huó'],
  ['数学问题', 'shù xué wèn tí'],
  ['中心思想', 'zhōng xīn sī xiǎng'],
  ['慢慢地走', 'màn màn de zǒu'],
  ['这块地很大', 'zhè kuài dì hěn dà'],
  ['坐得久', 'zuò de jiǔ'],
  ['获得很多', 'huò dé hěn duō'],
  ['她教我中文', 'tā jiāo wǒ zhōng wén'],
  ['高高兴兴地喝茶', 'gāo gāo xìng xìng de hē chá'],
  ['潜移默化地影响', 'qián yí mò huà de yǐng xiǎng'],
  ['在自己地里', 'zài zì jǐ dì lǐ'],
  ['教育和教学', 'jiào yù hé jiào xué'],
])('%s is read %s', (text, readings) => {
  const [analysis] = chinese.analyse([text], true)
  expect(analysis!.readings.map(({ reading }) => reading).join(' ')).toBe(readings)
})
