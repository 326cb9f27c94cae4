/**
 * What a command is made of: its options, what it is given to run with, and the two ways it can
 * fail.
 */
import type { ZodType } from 'zod'

/**
 * One option of a command. The environment variable `CLIP_LOOKUP_<NAME>` sets it too; a flag wins.
 */
export interface Option {
  /** What the help calls the value: `DIR`, `N`. A switch has none. */
  value?: string
  description: string
  /** Used if neither flag nor environment gives a value. */
  default?: string
  /** How the help shows the default if it depends on the machine. */
  shownDefault?: string
  multiple?: boolean
  required?: boolean
}

/** What a command runs with. */
export interface Input {
  values: Record<string, string | undefined>
  lists: Record<string, string[]>
  switches: Record<string, boolean>
  positionals: string[]
  /** Makes a path that the user typed absolute, from the folder where the user stands. */
  path(typedPath: string): string
  env: NodeJS.ProcessEnv
  /** Every command of the program, for the pages that describe them. */
  commands: readonly Command[]
  /** Prints data: one line of JSON under `--json`, else the text, unless that is empty. */
  print(data: unknown, text: string): void
  /** Prints a line on stderr. */
  say(line: string): void
  /**
   * Shows progress as one line at the foot of stderr, on a terminal only. An empty line removes it.
   */
  progress(line: string): void
  isTerminal: boolean
  /** Asks the user and returns the line that was typed. Absent unless both ends are a terminal. */
  ask?: ((question: string) => Promise<string>) | undefined
}

/** Runs a command, and returns the exit code; nothing means 0. */
export type Run = (input: Input) => Promise<number | void>

/** A command as `commands.json` describes it, and what runs it. */
export interface Command {
  /** `build`, `keys create`. */
  name: string
  /** One sentence that fits on a line beside the name. */
  summary: string
  /** What follows the name in the usage line: `<path>…`. Without it, nothing may. */
  positionals?: string | undefined
  /** What the help says after the summary. */
  details?: string | undefined
  /** By name, those that every command has included. */
  options: Record<string, Option>
  /** Shown below the options, without the name of the program. */
  examples: readonly string[]
  /** The page of the docs that says more, below `src/site/content/docs`: `operate/serve`. */
  page: string
  /** Loads the module of the command: a help text must not load a database. */
  load(): Promise<Run>
}

/** The command was called wrongly: exit 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command failed for a reason that the message explains: exit 1, no stack. */
export class Failure extends Error {
  override name = 'Failure'
}

/** The environment variable of an option: `max-shrink` → `CLIP_LOOKUP_MAX_SHRINK`. */
export function environmentName(option: string): string {
  return `CLIP_LOOKUP_${option.toUpperCase().replaceAll('-', '_')}`
}

/** The address of a page that is given to an option. @throws {UsageError} a browser opens none */
export function webAddress(name: string, value: string): string {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value
  throw new UsageError(
    `--${name} must be an address that begins with http:// or https://, but it is "${value}"`,
  )
}

/** Parses the whole number given to an option. @throws {UsageError} it is none, or out of range */
export function wholeNumber(name: string, value: string, min: number, max: number): number {
  if (!/^\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, but it is "${value}"`)
  }
  return Number(value)
}

/** The value of an option, if it matches a schema. @throws {UsageError} what the schema wants */
export function checkValue<T>(name: string, schema: ZodType<T>, value: string): T {
  const { data, error } = schema.safeParse(value)
  if (error) throw new UsageError(`--${name} ${error.issues[0]!.message}, but it is "${value}"`)
  return data
}

/** A share given to an option, `10%`: 0 to 1. @throws {UsageError} */
export function share(name: string, value: string): number {
  const percent = /^(\d{1,3}(?:\.\d+)?)\s?%$/.exec(value)?.[1]
  if (percent === undefined || Number(percent) > 100)
    throw new UsageError(`--${name} must be a percentage from 0% to 100%, but it is "${value}"`)
  return Number(percent) / 100
}

/**
 * The arguments that are not options, exactly as many as are named.
 *
 * @throws {UsageError} more or fewer
 */
export function positionals(input: Input, ...names: string[]): string[] {
  const texts = input.positionals
  if (texts.length < names.length)
    throw new UsageError(`the command needs ${names.slice(texts.length).join(' and ')}`)
  if (texts.length > names.length)
    throw new UsageError(`the command does not take the argument "${texts[names.length]}"`)
  return texts
}

/**
 * The result of parsing an option; an exception becomes a usage error.
 *
 * @param prefix goes before the message
 * @throws {UsageError} what `parse` threw
 */
export function orUsageError<T>(parse: () => T, prefix = ''): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(prefix + (error as Error).message)
  }
}
