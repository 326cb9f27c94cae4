import { closestOf } from '#kit/closest.ts'
import { environmentName, everyOption, loadCommand, type CommandEntry } from './command-line.ts'

/** Variables that mean something to the documentation's examples and to the tests alone. */
const others = ['CLIP_LOOKUP_KEY', 'CLIP_LOOKUP_TEST_DATA']

/**
 * A line for each variable `CLIP_LOOKUP_…` of the environment that no command knows, with the name
 * that was probably meant: a misspelt setting would otherwise be ignored silently.
 */
export async function unknownSettings(
  env: NodeJS.ProcessEnv,
  commands: readonly CommandEntry[],
): Promise<string[]> {
  const set = Object.keys(env).filter((name) => name.startsWith('CLIP_LOOKUP_') && !others.includes(name))
  if (set.length === 0) return []
  // The image of the proxy lacks packages of some commands, which it does not run.
  const loading = await Promise.allSettled(commands.map(loadCommand))
  const loaded = loading.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const known = new Set(loaded.flatMap((command) => Object.keys(everyOption(command)).map(environmentName)))
  return set
    .filter((name) => !known.has(name))
    .map((name) => {
      const meant = closestOf(name, [...known])
      return `unknown setting ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`
    })
}
