import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { TextContent } from '@modelcontextprotocol/sdk/types.js'
import { encode } from 'gpt-tokenizer'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { clipIdIn } from '../../scripts/mcp/clip-id.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { failure, programPath, run, runProcess, start } from '../harness/command.ts'
import { amplePlan, startService } from '../harness/service.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { sharedSmallService } from '../proxy/small-service.ts'

const plans = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'small', perPeriod: 2, perMinute: 60 },
  { name: 'reader', perPeriod: 3, perMinute: 60 },
  amplePlan,
]

const service = sharedSmallService({ plans })
let client: Client
beforeAll(async () => void (client = await connect(service.key)))
afterAll(() => client.close())

/** Starts the command as a host does, and connects to it. */
async function connect(key: string, api = service.origin): Promise<Client> {
  const host = new Client({ name: 'test', version: '1.0.0' })
  const env = { PATH: process.env.PATH!, CLIP_LOOKUP_KEY: key }
  const args = [programPath, 'mcp', '--api', api]
  await host.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  return host
}

async function connectUntilEnd(key: string, api?: string): Promise<Client> {
  const host = await connect(key, api)
  onTestFinished(() => host.close())
  return host
}

async function call(name: string, input: object = {}, host = client) {
  const result = await host.callTool({ name, arguments: input as Record<string, unknown> })
  const [{ text }] = result.content as [TextContent]
  return { text, isError: result.isError === true }
}

const textOf = async (name: string, input?: object) => (await call(name, input)).text

describe('the definitions', () => {
  test('name the tools, in at most 1,500 tokens', async () => {
    const { tools } = await client.listTools()
    const { prompts } = await client.listPrompts()
    const { resourceTemplates } = await client.listResourceTemplates()
    const definitions = [tools, prompts, resourceTemplates, client.getInstructions()]
    const names = 'find_clips read_clip next_clip look_up_words make_flashcards show_usage'
    expect(tools.map(({ name }) => name).join(' ')).toBe(names)
    expect(encode(JSON.stringify(definitions)).length).toBeLessThanOrEqual(1500)
  })

  test('match the docs', async () => {
    const page = readFileSync('src/site/content/docs/guides/language-models.mdx', 'utf8')
    const { tools } = await client.listTools()
    const documented = Array.from(page.matchAll(/^\| `(\w+)`/gm), ([, name]) => name)
    expect(documented).toEqual(tools.map(({ name }) => name))
  })

  test('contain two prompts, which name the tools that they need', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['explain_clip', 'practise_word'])
    const promptOf = async (name: string, values: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name, arguments: values })
      return (messages[0]!.content as TextContent).text
    }
    const explained = await promptOf('explain_clip', { clip: 'cat-sitter', level: 'A2' })
    expect(explained).toMatch(/cat-sitter.*read_clip.*\["A2"\]/)
    expect(await promptOf('practise_word', { word: 'run' })).toMatch(/find_clips.*"run".*en/)
  })

  test('offer transcripts as resources', async () => {
    const read = (id: string) => client.readResource({ uri: `clip-lookup://clips/${id}/transcript` })
    const text = '0:01 Who is looking after the cat?\n0:04 I look after the cats, and I run.'
    expect((await read('cat-sitter')).contents).toMatchObject([{ text }])
    await expect(read('nosuch')).rejects.toThrow('There is no clip with the id "nosuch".')
  })
})

describe('find_clips', () => {
  test('finds the forms of a word, with the sentence, the time and a link', async () => {
    const text = await textOf('find_clips', { query: 'ran', limit: 1 })
    const link = 'https://www.youtube.com/watch?v=morning-run&t=1s'
    expect(text).toContain('run (A1, 3 clips): to move fast on foot')
    expect(text).toContain(`The title of morning-run (Channel EN, A1, 1:00) ${link}\n`)
    expect(text).toContain('  0:04 Yesterday I **ran** to the café.\n')
    expect(text).toContain('exclude')
  })

  test('searches sentences for text that is not a word', async () => {
    const { text } = await call('find_clips', { query: 'in the sand' })
    expect(text).toContain('"in the sand" is said in 1 clip:\n- The title of at-the-beach')
    expect(text).toContain('The ice-cream fell **in the sand**.')
  })

  test.each([
    ['a video id', 'cat-sitter'],
    ['the address of a video', 'https://www.youtube.com/watch?v=cat-sitter&t=3s'],
    ['a short address', 'https://youtu.be/cat-sitter?t=3'],
  ])('finds the clip of %s', async (_, query) => {
    expect((await call('find_clips', { query })).text).toContain('The title of cat-sitter')
  })

  test('suggests what to do if nothing is found', async () => {
    const find = (query: string, more = {}) => textOf('find_clips', { query, ...more })
    expect(await find('zebra')).toMatch(/No clip \(en\) has "zebra".*look_up_words/)
    expect(await find('serendipity')).toContain('is in the catalogue (en), but no clip')
    expect(await find('run', { level: ['C2'] })).toContain('passes these filters')
    expect(await find('https://youtu.be/nosuch')).toContain('no clip of')
  })

  test('filters by levels and words that the learner knows', async () => {
    const known = ['a2', 'looking after', '-ice cream', 'zebra']
    const { text } = await call('find_clips', { query: 'cat', known, maxUnknown: 0 })
    expect(text).toContain('The title of cat-sitter')
    expect(text).toContain(', 0 unknown words\n')
    expect(text).not.toContain('at-the-beach')
    expect(text).toContain('In known, these are neither levels nor words of the catalogue: zebra.')
  })

  test('omits clips whose links are given', async () => {
    const exclude = ['https://youtu.be/cat-sitter', 'fast-cats']
    const { text } = await call('find_clips', { query: 'cat', exclude })
    expect(text).toContain('at-the-beach')
    expect(text).not.toMatch(/cat-sitter|fast-cats/)
  })
})

describe('read_clip', () => {
  test('shows the lines and the unknown words', async () => {
    const { text } = await call('read_clip', { clip: 'watchmaker', known: ['A2'], gloss: 'es' })
    expect(text).toContain('0:01 The watchmaker is meticulous.\n0:04 The cat looks after the shop.')
    expect(text).toContain('\nUnknown words: look after (B1): cuidar; meticulous (C1): meticuloso\n')
    const known = await textOf('read_clip', { clip: 'fast-cats', known: ['C2'] })
    expect(known).toContain('\nUnknown words: none.\n')
  })

  test('lists as many unknown words as the API counts', async () => {
    const known = ['B1', '-the', '-look after', '-cat']
    const { text } = await call('read_clip', { clip: 'watchmaker', known })
    const count = /Unknown words: (.*)/.exec(text)![1]!.split('; ').length
    const clips = await call('find_clips', { query: 'watchmaker', known })
    expect(clips.text).toContain(`watchmaker&t=1s, ${count} unknown words`)
  })

  test('shows the words above the clip’s level if the learner’s words are not set', async () => {
    const text = await textOf('read_clip', { clip: 'watchmaker' })
    expect(text).toContain('\nWords above B2: meticulous (C1)\n')
  })

  test('a clip that was read before costs no look-up, even when the quota is used up', async () => {
    const host = await connectUntilEnd(await service.newKey('reader', 'reader'))
    const { text, isError } = await call('read_clip', { clip: 'cat-sitter' }, host)
    expect(isError).toBe(false)
    expect((await call('find_clips', { query: 'cat' }, host)).isError).toBe(true)
    expect(await call('read_clip', { clip: 'cat-sitter' }, host)).toEqual({ text, isError: false })
  })
})

test('next_clip shows each clip once, and says which is the last', async () => {
  const titles: string[] = []
  let text: string
  do {
    ;({ text } = await call('next_clip', { known: ['A1'], maxUnknown: 10 }))
    titles.push(/The title of [\w-]+/.exec(text)![0])
    expect(text).toMatch(/Learn: .+\n\d:\d\d .*\*\*.*\nOf what is said, \d+% is known; \d+ unknown words?\./)
  } while (!text.includes('This was the last clip'))
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles.length).toBeGreaterThan(2)
  expect((await call('next_clip', { language: 'fr' })).text).toContain('No clip is left')
})

test('two simultaneous calls of next_clip show two clips', async () => {
  const answers = await Promise.all([call('next_clip'), call('next_clip')])
  expect(answers[0]!.text).not.toBe(answers[1]!.text)
})

test('look_up_words looks up many spellings and their meanings in one request', async () => {
  const before = (await call('show_usage')).text
  const { text } = await call('look_up_words', { words: ['ran', 'looking after', 'cafe', 'zebra'] })
  expect(text).toContain('ran → run (A1, 3 clips): to move fast on foot\n')
  expect(text).toContain('looking after → look after (B1, 2 clips)')
  expect(text).toContain('cafe → café')
  expect(text).toContain('Not in the catalogue: zebra.')
  const lookUps = (usage: string) => Number(/(\d+) look-ups/.exec(usage)![1])
  expect(lookUps((await call('show_usage')).text)).toBe(lookUps(before) + 1)
  const meanings = await call('look_up_words', { words: ['gato', 'zebra'], by: 'meaning', gloss: 'es' })
  expect(meanings.text).toContain('gato → cat (A1, 4 clips): gato\nzebra → no word has this meaning')
})

test('make_flashcards makes a card for each word, as text or as a file', async () => {
  const words = ['meticulous', 'zebra', 'look after']
  const { text } = await call('make_flashcards', { words, gloss: 'es' })
  expect(text).toContain('- meticulous (C1): meticuloso\n  The watchmaker is **meticulous**. https://')
  expect(text).toContain('- look after (B1): cuidar\n  Who is **looking after** the cat?')
  expect(text).toContain('No card for: zebra.')
  const anki = await call('make_flashcards', { words: ['meticulous'], format: 'anki' })
  expect(anki.text).toContain('#separator:tab\n')
  expect(anki.text).toContain('The watchmaker is <b>meticulous</b>.\tmeticulous\t')
  const csv = await textOf('make_flashcards', { words: ['meticulous'], format: 'csv' })
  expect(csv).toContain('word,level,')
})

test('make_flashcards shows the cards that it has made when the quota is used up', async () => {
  const host = await connectUntilEnd(await service.newKey('card-maker', 'reader'))
  const words = ['cat', 'run', 'look', 'meticulous']
  const { text, isError } = await call('make_flashcards', { words }, host)
  expect(isError).toBe(false)
  expect(text.match(/^- /gm)).toHaveLength(3)
  expect(text).toMatch(/^No card yet for: \w+\. .*used all 3 look-ups.* Do not try again/m)
})

describe('errors say what to do after', () => {
  test('a wrong parameter, an unknown clip', async () => {
    const refused = (text: string) => ({ text: expect.stringContaining(text), isError: true })
    const found = (more: object) => call('find_clips', { query: 'cat', ...more })
    expect(await found({ language: 'english' })).toEqual(refused('language must be two letters a-z'))
    expect(await found({ maxUnknown: 2 })).toEqual(refused('maxUnknown needs known: the level or the words'))
    const advice =
      'There is no clip with the id "nosuch". Use a link or id that find_clips or next_clip has shown.'
    expect(await call('read_clip', { clip: 'nosuch' })).toEqual(refused(advice))
    for (const [input, name] of [
      [{}, 'query'],
      [{ query: ' ' }, 'query'],
      [{ query: 'cat', lang: 'ja' }, '"lang"'],
      [{ query: 'cat', level: ['B7'] }, 'level'],
    ] as const) {
      const { text, isError } = await call('find_clips', input)
      expect({ text, isError }).toEqual({ text: expect.stringContaining(name), isError: true })
    }
  })

  test('a wrong key', async () => {
    const host = await connectUntilEnd(`clk_${'a'.repeat(40)}`)
    const { text, isError } = await call('find_clips', { query: 'cat' }, host)
    expect([isError, text]).toEqual([true, expect.stringMatching(/key.*CLIP_LOOKUP_KEY/)])
    expect(text).not.toContain('clk_a')
  })

  test('a used-up quota', async () => {
    const host = await connectUntilEnd(await service.newKey('small-account', 'small'))
    await call('find_clips', { query: 'cat' }, host)
    await call('find_clips', { query: 'run' }, host)
    const { text, isError } = await call('find_clips', { query: 'look' }, host)
    expect([isError, text]).toEqual([true, expect.stringMatching(/used all 2 look-ups.*Do not try again/)])
    expect((await call('show_usage', {}, host)).text).toContain('Plan small: 2 of 2 look-ups used')
  })

  test('a service without a release', async () => {
    const empty = await startService({ folder: tempFolder() })
    onTestFinished(() => empty.stop())
    const host = await connectUntilEnd(await empty.newKey(), empty.origin)
    const { text, isError } = await call('find_clips', { query: 'cat' }, host)
    expect([isError, text]).toEqual([true, expect.stringContaining('Try again in a minute')])
  })

  test('an address at which nothing listens', async () => {
    const host = await connectUntilEnd('clk_x', 'http://127.0.0.1:1')
    const { text, isError } = await call('show_usage', {}, host)
    expect([isError, text]).toEqual([true, expect.stringContaining('--api')])
  })
})

test.each([
  ['find_clips', { query: 'Haus' }],
  ['next_clip', {}],
  ['look_up_words', { words: ['Haus'] }],
  ['make_flashcards', { words: ['Haus'] }],
])('%s lists the languages of the corpus if the one asked for is not among them', async (name, input) => {
  const note = '\nThe service has no clips in "de", only in en'
  expect(await textOf(name, { ...input, language: 'de' })).toContain(note)
})

describe('the command', () => {
  test('exits with 0 at the end of its input and on SIGTERM, and prints only messages on stdout', async () => {
    for (const end of ['input', 'signal']) {
      const { child, exit, says, stdout } = start(service.folder, ['mcp', '--api', service.origin], {
        CLIP_LOOKUP_KEY: 'clk_x',
      })
      await says(/serving tools for http/)
      if (end === 'input') child.stdin.end()
      else child.kill('SIGTERM')
      expect(await exit).toBe(0)
      expect(stdout()).toBe('')
    }
  })

  longTest('says what to install if the SDK is missing', async () => {
    const hook = join(service.folder, 'without-sdk.mjs')
    const code = `
      import { registerHooks } from 'node:module'
      registerHooks({
        resolve(specifier, context, next) {
          return next(specifier.replace('@modelcontextprotocol/', 'missing-'), context)
        },
      })`
    writeFileSync(hook, code)
    const settings = { CLIP_LOOKUP_KEY: 'clk_x', NODE_OPTIONS: `--import=${hook}` }
    expect(await runProcess(service.folder, ['mcp'], settings)).toEqual(
      failure(1, /"npm install @modelcontextprotocol\/sdk@\d+\.\d+\.\d+"\.\n$/),
    )
  })

  test('says that there is no key', async () => {
    const { code, stderr } = await run(service.folder, ['mcp'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('CLIP_LOOKUP_KEY')])
  })

  test('refuses an invalid address', async () => {
    expect(
      await run(service.folder, ['mcp', '--api', 'clips'], {
        CLIP_LOOKUP_KEY: 'clk_x',
      }),
    ).toEqual(failure(2, '--api must be an address'))
  })
})

test.each([
  ['https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ?t=12', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ/', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/shorts/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  [' 0DBE1508-3f4d-57aa-ac17-a11fb9b795d0 ', '0DBE1508-3f4d-57aa-ac17-a11fb9b795d0'],
  ['look after', null],
  ['https://example.com/', null],
  ['http://', null],
])('reads the id of %j as %j', (text, id) => expect(clipIdIn(text)).toBe(id))
