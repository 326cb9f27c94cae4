import { closestOf } from '#kit/closest.ts'
import { environmentName, type Input } from './command-line.ts'

/** Variables that mean something to the documentation's examples and to the tests alone. */
const others = ['CLIP_LOOKUP_KEY', 'CLIP_LOOKUP_TEST_DATA']

/**
 * A line for each variable `CLIP_LOOKUP_…` of the environment that no command knows, with the name
 * that was probably meant: a misspelt setting would otherwise be ignored silently.
 */
export function unknownSettings({ env, commands }: Pick<Input, 'env' | 'commands'>): string[] {
  const known = new Set(commands.flatMap(({ options }) => Object.keys(options).map(environmentName)))
  return Object.keys(env)
    .filter((name) => name.startsWith('CLIP_LOOKUP_') && !others.includes(name) && !known.has(name))
    .map((name) => {
      const meant = closestOf(name, [...known])
      return `unknown setting ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`
    })
}
