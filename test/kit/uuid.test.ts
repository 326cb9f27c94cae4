import fc from 'fast-check'
import { v5 } from 'uuid'
import { expect, test } from 'vitest'
import { uuidOfUrl } from '#kit/uuid.ts'

test('the UUID of an address is that of the uuid package', () => {
  const path = fc.string({ unit: 'grapheme-ascii', maxLength: 80 })
  fc.assert(
    fc.property(path, (text) => {
      expect(uuidOfUrl(`https://example.org/${text}`)).toBe(v5(`https://example.org/${text}`, v5.URL))
    }),
  )
})
