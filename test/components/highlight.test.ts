import { expect, test } from 'vitest'
import { markForm } from '../../src/components/cards/highlight.ts'

test.each([
  ['Is it well-known?', 'well-known', ['Is it ', 'well-known', '?']],
  ['My mother-in-law, too.', 'mother in law', ['My ', 'mother-in-law', ', too.']],
  ['Then look after it.', 'look after', ['Then ', 'look after', ' it.']],
  ['What (if) 1+1 [is] 2?', '1+1', ['What (if) ', '1+1', ' [is] 2?']],
  ['What is and/or?', 'and/or', ['What is ', 'and/or', '?']],
  ['Backrunning', 'run', null],
  ['ご飯を食べました。', '食べました', ['ご飯を', '食べました', '。']],
])('in %j, the form %j is found', (text, form, marked) => {
  expect(markForm(text, form)).toEqual(marked)
})
