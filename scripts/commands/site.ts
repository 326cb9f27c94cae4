import { folderTree } from '#release/tree.ts'
import { readCurrent } from '#release/release.ts'
import { holdTree } from '#tree/hold-tree.ts'
import type { CommandLine, Operator } from '#site/site-input.ts'
import type { BuildOptions } from '#build/build-options.ts'
import {
  environmentName,
  isWebAddress,
  UsageError,
  wholeNumber,
  type Command,
  type Input,
} from '../command-line.ts'
import { fail, readPlans } from './with-store.ts'

async function buildSite(input: Input): Promise<void> {
  const outFolder = input.path(input.values.out!)
  const build = siteBuilder(input)
  const { release, isNew } = await holdTree(outFolder, async () => {
    const current = await readCurrent(folderTree(outFolder))
    return { release: current, isNew: await build(current) }
  }).catch(fail)
  input.print({ release, isNew }, `site      ${release}${isNew ? '' : ' (unchanged)'}`)
}

/**
 * Makes the function that builds the site, from the options of a command.
 *
 * @throws {UsageError} `--site-url` is no address
 */
export function siteBuilder(input: Input): NonNullable<BuildOptions['buildSite']> {
  const siteUrl = input.values['site-url']!
  if (!isWebAddress(siteUrl))
    throw new UsageError(
      `--site-url must be an address that begins with http:// or https://, got "${siteUrl}"`,
    )
  const embedUrl = input.values['embed-url']!
  if (!isWebAddress(embedUrl))
    throw new UsageError(`--embed-url must be an http or https address, got "${embedUrl}"`)
  const options = {
    outFolder: input.path(input.values.out!),
    siteUrl: new URL(siteUrl).origin,
    embedUrl,
    previewWords: wholeNumber('preview-words', input.values['preview-words']!, 0, 10_000),
    plans: input.values.plans === undefined ? null : readPlans(input),
    operator: readOperator(input),
    say: input.say,
    progress: input.progress,
    env: input.env,
  }
  return async (release) => {
    // Loaded here: Astro's side of the project takes longer to load than most commands to run.
    const site = await import('#site/build-site.ts')
    return await site.buildSite({ ...options, commands: describeCommands(input.commands) }, release)
  }
}

/** What the site says of its operator. @throws {UsageError} an address is none */
function readOperator({ values }: Input): Operator {
  const { contact } = values
  return {
    contact:
      contact !== undefined && /^[^@\s/]+@[^@\s]+$/.test(contact) ? `mailto:${contact}` : url('contact'),
    termsUrl: url('terms-url'),
    statusUrl: url('status-url'),
    filesUrl: url('files-url'),
  }

  function url(option: string): string | null {
    const value = values[option]
    if (value !== undefined && (!/^https?:\/\//.test(value) || !URL.canParse(value)))
      throw new UsageError(
        `--${option} must be an address that begins with http:// or https://, got "${value}"`,
      )
    return value ?? null
  }
}

/** The commands in the form that the pages of the site show. */
export function describeCommands(commands: readonly Command[]): CommandLine[] {
  return commands.map(({ name, positionals, summary, details, options }) => ({
    name,
    positionals,
    summary,
    details,
    options: Object.entries(options).map(([name, option]) => ({
      name,
      ...option,
      default: option.shownDefault ?? option.default,
      environment: environmentName(name),
    })),
  }))
}

export const commands = { site: buildSite }
