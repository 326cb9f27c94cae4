/**
 * Small arbitraries that all generators draw from.
 */
import fc from 'fast-check'
import { GLOSSES, LEVELS, type Gloss, type Level } from './source.ts'

export const someLevel: fc.Arbitrary<Level> = fc.constantFrom(...LEVELS)
export const someGloss: fc.Arbitrary<Gloss> = fc.constantFrom(...GLOSSES)

/** Generates one of some values, each as often as its weight says. */
export function weighted<T>(...choices: [weight: number, value: T][]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
}

/** Generates one value this many times as often as each of the others. */
export function mostly<T>(weight: number, value: T, ...others: T[]): fc.Arbitrary<T> {
  return weighted([weight, value], ...others.map((other): [number, T] => [1, other]))
}

/** Generates `true` once in this many values. */
export function onceIn(times: number): fc.Arbitrary<boolean> {
  return weighted([times - 1, false], [1, true])
}
