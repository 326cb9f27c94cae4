import { expect, test } from 'vitest'
import { defaultPlans, parsePlans } from '#contract/plans.ts'

const trial = { name: 'trial', perPeriod: 20, perMinute: 60 }

const parse = (value: unknown): unknown => parsePlans(JSON.stringify(value), 'plans.json')

test('the default plans have the published numbers for trial', () => {
  expect(defaultPlans.find(({ name }) => name === 'trial')).toEqual(trial)
  expect(defaultPlans.map(({ name }) => name)).toEqual(['trial', 'starter', 'growth'])
  expect(parse(defaultPlans)).toEqual(defaultPlans)
})

test('reads a list with all its plans, including uncapped ones', () => {
  const plans = [{ name: 'huge', perPeriod: null, perMinute: 5000 }, trial]
  expect(parse(plans)).toEqual(plans)
})

test('a price is a text of at most 100 characters, trimmed', () => {
  const priced = (price: unknown) => [trial, { name: 'starter', perPeriod: 10, perMinute: 60, price }]
  expect(parse(priced(' €9 a month '))).toEqual(priced('€9 a month'))
  for (const price of ['', ' ', 'x'.repeat(101), 9, null])
    expect(() => parse(priced(price)), String(price)).toThrow(
      'plan 2: price must be a text of 1 to 100 characters',
    )
})

test('ignores a byte order mark', () => {
  expect(parsePlans(`\ufeff${JSON.stringify([trial])}`, 'plans.json')).toEqual([trial])
})

test.each([
  ['what is no JSON', '[', 'it is not valid JSON'],
  ['what is no list', '{}', 'it must contain a JSON array of plans'],
  ['a list without trial', '[]', '"trial"'],
  ['trial with another quota', JSON.stringify([{ ...trial, perPeriod: 21 }]), '"perPeriod":20'],
  ['trial with another rate', JSON.stringify([{ ...trial, perMinute: 61 }]), '"perMinute":60'],
  ['trial uncapped', JSON.stringify([{ ...trial, perPeriod: null }]), '"perPeriod":20'],
  ['a plan that is there twice', JSON.stringify([trial, trial]), '"trial" appears twice'],
  [
    'a plan without a quota',
    JSON.stringify([trial, { name: 'x', perMinute: 1 }]),
    'plan 2: perPeriod must be',
  ],
  [
    'a quota below nothing',
    JSON.stringify([trial, { name: 'x', perPeriod: -1, perMinute: 1 }]),
    'plan 2: perPeriod must be a whole number of at least 0, or null',
  ],
  [
    'half a request',
    JSON.stringify([trial, { name: 'x', perPeriod: 0.5, perMinute: 1 }]),
    'plan 2: perPeriod must',
  ],
  [
    'a rate of nothing',
    JSON.stringify([trial, { name: 'x', perPeriod: 1, perMinute: 0 }]),
    'plan 2: perMinute must',
  ],
  [
    'a name with blanks',
    JSON.stringify([trial, { name: 'x y', perPeriod: 1, perMinute: 1 }]),
    'plan 2: name must',
  ],
  ['a price that is no text', JSON.stringify([{ ...trial, price: 1 }]), 'plan 1: price must be a text'],
  [
    'a field that no plan has',
    JSON.stringify([trial, { ...trial, pirce: '1' }]),
    'plan 2 has the unknown field "pirce"',
  ],
  ['a plan that is no object', '["trial"]', 'plan 1 must be an object'],
])('refuses %s, with the file and the reason', (_, text, part) => {
  expect(() => parsePlans(text, 'plans.json')).toThrow(SyntaxError)
  expect(() => parsePlans(text, 'plans.json')).toThrow('"plans.json"')
  expect(() => parsePlans(text, 'plans.json')).toThrow(part)
})
