import { folderTree } from '#release/tree.ts'
import { readCurrent } from '#release/release.ts'
import { youtubeUrls } from '#rendering/clip.ts'
import { holdTree } from '#tree/hold-tree.ts'
import type { CommandLine, Operator } from '#site/site-input.ts'
import type { BuildOptions } from '#build/build-options.ts'
import {
  environmentName,
  everyOption,
  isWebAddress,
  loadCommand,
  UsageError,
  wholeNumber,
  type Command,
  type CommandEntry,
  type Input,
  type Option,
} from '../command-line.ts'
import { fail, readPlans } from './store-options.ts'
import { treeOptions } from './tree-options.ts'

/** The options of every command that builds the site. */
export const siteOptions: Record<string, Option> = {
  'site-url': {
    value: 'URL',
    description: 'public address of the developer site',
    default: 'http://127.0.0.1:8080',
  },
  'preview-words': {
    value: 'N',
    description: 'number of words of each language that can be tried on the site without a key',
    default: '300',
  },
  plans: { value: 'FILE', description: 'a JSON file with the plans to show on the site' },
  contact: { value: 'ADDRESS', description: 'email address or URL where users of the API can contact you' },
  'terms-url': { value: 'URL', description: 'URL of your terms of use' },
  'status-url': { value: 'URL', description: 'URL of the page where you report outages' },
  'files-url': { value: 'URL', description: 'public address of the files, if you have made them public' },
}

export const buildSite: Command = {
  options: {
    ...treeOptions,
    'embed-url': {
      value: 'URL',
      description: 'embed URL of the clips that pages can show in a frame',
      default: youtubeUrls.embedUrl,
    },
    ...siteOptions,
  },
  async run(input) {
    const outFolder = input.path(input.values.out!)
    const build = siteBuilder(input)
    const { release, isNew } = await holdTree(outFolder, async () => {
      const current = await readCurrent(folderTree(outFolder))
      return { release: current, isNew: await build(current) }
    }).catch(fail)
    input.print({ release, isNew }, `site      ${release}${isNew ? '' : ' (unchanged)'}`)
  },
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
    return await site.buildSite({ ...options, commands: await describeCommands(input.commands) }, release)
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
export async function describeCommands(commands: readonly CommandEntry[]): Promise<CommandLine[]> {
  const loaded = await Promise.all(commands.map(loadCommand))
  return loaded.map((command) => ({
    name: command.name,
    positionals: command.positionals,
    summary: command.summary,
    details: command.details,
    options: Object.entries(everyOption(command)).map(([name, option]) => ({
      name,
      ...option,
      default: option.shownDefault ?? option.default,
      environment: environmentName(name),
    })),
  }))
}
