import { describe, expect, test } from 'vitest'
import { parameters } from '#contract/parameters.ts'
import { quoteValue } from '#contract/quote-value.ts'

/** Returns the value of a decoded text, or the message that refuses it. */
function read(name: keyof typeof parameters, text: string): unknown {
  const result = parameters[name].schema.safeParse(text)
  return result.success ? result.data : result.error.issues[0]!.message
}

test('normalises a word to NFC', () => expect(parameters.word.schema.parse('cafe\u0301')).toBe('caf\u00e9'))

describe('the length of a text is that of its NFC', () => {
  const composed = '\u00e9'
  const decomposed = 'e\u0301'
  // Excluded from composition: one character that NFC makes three of.
  const growing = '\ufb2c'

  test.each([
    ['q', 100],
    ['seed', 64],
  ] as const)('%s: accepts %i characters in either spelling, but not one more', (name, most) => {
    const message = `must have 1 to ${most} characters`
    for (const spelling of [composed, decomposed]) {
      expect(read(name, spelling.repeat(most))).toBe(composed.repeat(most))
      expect(read(name, spelling.repeat(most + 1))).toBe(message)
    }
  })

  test('an accepted seed is accepted again as the response echoes it', () => {
    const echoed = read('seed', growing.repeat(21)) as string
    expect(echoed).toHaveLength(63)
    expect(read('seed', echoed)).toBe(echoed)
    expect(read('seed', growing.repeat(22))).toBe('must have 1 to 64 characters')
  })
})

describe('a quoted value', () => {
  test('is a JSON string, shortened for readability', () => {
    expect(quoteValue('a"b\n')).toBe('"a\\"b\\n"')
    expect(quoteValue('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
    expect(quoteValue('🐈'.repeat(61))).toBe(`"${'🐈'.repeat(60)}…"`)
  })

  test('never contains a key', () => {
    const secret = 'k3y'.repeat(13)
    for (const encoded of ['%63lk_', '%2563lk_', '%25252563%6Ck_', 'clk%255F', 'clk_%2541'])
      expect(quoteValue(`${encoded}${secret}`)).toBe('"clk_…"')
    expect(quoteValue(`before clk_${secret} after`)).toBe('"before clk_… after"')
    expect(quoteValue(`${'x'.repeat(40)}clk_${secret}`)).not.toContain('k3y')
  })
})
