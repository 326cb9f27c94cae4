/** The parts of a command: its options, its input, and the two ways in which it can fail. */
import type { ZodType } from 'zod'

/** An option. The variable `CLIP_LOOKUP_<NAME>` also sets it; a flag takes precedence. */
export interface Option {
  /** The name of the value in the help: `DIR`, `N`. A switch has none. */
  value?: string
  description: string
  /** Used if neither flag nor environment gives a value. */
  default?: string
  /** How the help shows the default if it depends on the machine. */
  shownDefault?: string
  multiple?: boolean
  required?: boolean
}

export interface Input {
  values: Record<string, string | undefined>
  lists: Record<string, string[]>
  switches: Record<string, boolean>
  positionals: string[]
  /** Makes a path absolute that the user typed, relative to the user's folder. */
  path(typedPath: string): string
  env: NodeJS.ProcessEnv
  /** Every command of the program, for the pages that describe them. */
  commands: readonly Command[]
  /** Prints data: one line of JSON with `--json`, otherwise the text, unless that is empty. */
  print(data: unknown, text: string): void
  /** Prints a line on stderr. */
  say(line: string): void
  /** Shows progress as the last line on stderr, on a terminal only. An empty line removes it. */
  progress(line: string): void
  isTerminal: boolean
  /** Asks the user, and returns the line typed. Absent unless stdin and stderr are terminals. */
  ask?: ((question: string) => Promise<string>) | undefined
}

/** Runs a command, and returns the exit code; `undefined` means 0. */
export type Run = (input: Input) => Promise<number | void>

/** A command as described in `commands.json`, with the function that runs it. */
export interface Command {
  /** Such as `build` or `keys create`. */
  name: string
  /** One sentence that fits on one line, next to the name. */
  summary: string
  /** The arguments after the name in the usage line: `<path>…`. If absent, none are allowed. */
  positionals?: string | undefined
  /** The text after the summary in the help. */
  details?: string | undefined
  /** The options by name, including those that every command has. */
  options: Record<string, Option>
  /** Shown below the options, without the name of the program. */
  examples: readonly string[]
  /** The page of the docs that says more, below `src/site/content/docs`: `operate/serve`. */
  page: string
  /** Loads the module of the command: late, because a help text must not load a database. */
  load(): Promise<Run>
}

/** The command was called incorrectly: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command failed for a reason that the message explains: exit code 1, without a stack. */
export class Failure extends Error {
  override name = 'Failure'
}

/** The environment variable of an option: `max-shrink` → `CLIP_LOOKUP_MAX_SHRINK`. */
export function environmentName(option: string): string {
  return `CLIP_LOOKUP_${option.toUpperCase().replaceAll('-', '_')}`
}

/** Whether a text is an address of any kind, not a path: it begins with a scheme. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text)
}

/**
 * The address of a page that is given to an option. @throws {UsageError} a browser cannot open it
 */
export function webAddress(name: string, value: string): string {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value
  throw new UsageError(
    `--${name} must be an address that begins with http:// or https://, but it is "${value}"`,
  )
}

/**
 * Parses the whole number given to an option. @throws {UsageError} it is not one, or out of range
 */
export function wholeNumber(name: string, value: string, min: number, max: number): number {
  if (!/^\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, but it is "${value}"`)
  }
  return Number(value)
}

/** The value of an option, if it matches a schema. @throws {UsageError} it does not match */
export function checkValue<T>(name: string, schema: ZodType<T>, value: string): T {
  const { data, error } = schema.safeParse(value)
  if (error) throw new UsageError(`--${name} ${error.issues[0]!.message}, but it is "${value}"`)
  return data
}

/**
 * Parses the share given to an option, such as `10%`, to a number from 0 to 1. @throws {UsageError}
 */
export function share(name: string, value: string): number {
  const percent = /^(\d{1,3}(?:\.\d+)?)\s?%$/.exec(value)?.[1]
  if (percent === undefined || Number(percent) > 100)
    throw new UsageError(`--${name} must be a percentage from 0% to 100%, but it is "${value}"`)
  return Number(percent) / 100
}

/**
 * The arguments that are not options, exactly one for each name.
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
 * Returns the result of parsing an option, and turns an exception into a usage error.
 *
 * @param prefix comes before the message
 * @throws {UsageError} what `parse` threw
 */
export function orUsageError<T>(parse: () => T, prefix = ''): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(prefix + (error as Error).message)
  }
}
