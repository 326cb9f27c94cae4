/**
 * Small arbitraries that all generators draw from.
 */
import fc from 'fast-check'
import { GLOSSES, LEVELS } from './source.ts'
import type { Gloss, Level } from './source.ts'

export const someLevel: fc.Arbitrary<Level> = fc.constantFrom(...LEVELS)
export const someGloss: fc.Arbitrary<Gloss> = fc.constantFrom(...GLOSSES)

/** One of some values, each as often as its weight says. */
export function weighted<T>(...choices: [weight: number, value: T][]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
}

/** One value so many times as often as each of the others. */
export function mostly<T>(weight: number, value: T, ...others: T[]): fc.Arbitrary<T> {
  return weighted([weight, value], ...others.map((other): [number, T] => [1, other]))
}

/** `true` once in so many. */
export function onceIn(times: number): fc.Arbitrary<boolean> {
  return weighted([times - 1, false], [1, true])
}
