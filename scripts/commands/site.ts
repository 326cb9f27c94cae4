import { FolderTree } from '#release/tree.ts'
import { readCurrent } from '#release/release.ts'
import { holdTree } from '#tree/hold-tree.ts'
import type { CommandLine, Operator } from '#site/build/site-input.ts'
import type { BuildOptions } from '#nightly/build-options.ts'
import { environmentName, webAddress, wholeNumber, type Command, type Input } from '../command-line.ts'
import { fail, readPlans } from './with-store.ts'

async function buildSite(input: Input): Promise<void> {
  const outFolder = input.path(input.values.out!)
  const build = siteBuilder(input)
  const { release, isNew } = await holdTree(outFolder, async () => {
    const current = await readCurrent(new FolderTree(outFolder))
    return { release: current, isNew: await build(current) }
  }).catch(fail)
  input.print({ release, isNew }, `site      ${release}${isNew ? '' : ' (unchanged)'}`)
}

/**
 * Creates the function that builds the site, from the options of a command.
 *
 * @throws {UsageError} an address is invalid
 */
export function siteBuilder(input: Input): NonNullable<BuildOptions['buildSite']> {
  const { values } = input
  const options = {
    outFolder: input.path(values.out!),
    siteUrl: new URL(webAddress('site-url', values['site-url']!)).origin,
    embedUrl: webAddress('embed-url', values['embed-url']!),
    previewWords: wholeNumber('preview-words', values['preview-words']!, 0, 10_000),
    plans: values.plans === undefined ? null : readPlans(input),
    operator: readOperator(input),
    say: input.say,
    progress: input.progress,
    env: input.env,
  }
  return async (release) => {
    // Imported here: Astro's side of the project takes longer to load than most commands to run.
    const site = await import('#site/build/build-site.ts')
    return await site.buildSite({ ...options, commands: describeCommands(input.commands) }, release)
  }
}

/** Reads what the site says about its operator. @throws {UsageError} an address is invalid */
function readOperator({ values }: Input): Operator {
  const url = (option: string) => {
    const value = values[option]
    return value === undefined ? null : webAddress(option, value)
  }
  const { contact } = values
  const isEmail = contact !== undefined && /^[^@\s/]+@[^@\s]+$/.test(contact)
  return {
    contact: isEmail ? `mailto:${contact}` : url('contact'),
    termsUrl: url('terms-url'),
    sourceUrl: url('source-url'),
    statusUrl: url('status-url'),
    filesUrl: url('files-url'),
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
