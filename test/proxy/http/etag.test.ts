import { describe, expect, test } from 'vitest'
import { matchesEtag } from '#proxy/http/send.ts'

describe('If-None-Match', () => {
  test.each([
    ['the tag', '"abc"'],
    ['the weak form of the tag', 'W/"abc"'],
    ['a list with the tag', '"x", "abc"'],
    ['a list without blanks', '"x","abc","y"'],
    ['a list with a weak form', '"x", W/"abc"'],
    ['a star', '*'],
    ['a star with blanks', ' * '],
  ])('names the entity with %s', (_, header) => expect(matchesEtag(header, '"abc"')).toBe(true))

  test.each([
    ['an empty header', ''],
    ['another tag', '"abcd"'],
    ['the tag of another coding', '"abc-br"'],
    ['a tag in other case', '"ABC"'],
    ['a tag without quotes', 'abc'],
    ['a tag with the other in it', '"x\'abc\'"'],
  ])('does not name it with %s', (_, header) => expect(matchesEtag(header, '"abc"')).toBe(false))
})
