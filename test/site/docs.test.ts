import { execFile, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { decodeHTML } from 'entities'
import fastGlob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cacheClasses, exposedHeaders } from '#contract/headers.ts'
import { errorCodes, errorSchema } from '#contract/errors.ts'
import { operations } from '#contract/operations.ts'
import { defaultPlans } from '#contract/plans.ts'
import { catalogueLineSchema } from '#corpus/catalogue-word.ts'
import { parseClip } from '#corpus/source-clip.ts'
import { parseSiteFiles } from '#release/site-files.ts'
import { environmentName } from '../../scripts/command-line.ts'
import { commands } from '../../scripts/commands.ts'
import { installClient } from '../harness/client-package.ts'
import { longTest, shareOf } from '../harness/fault-rounds.ts'
import { fieldsOfRecord, fieldsOfValue } from '../harness/fields.ts'
import { startListening } from '../harness/start-listening.ts'
import { nodes } from '../harness/nodes.ts'
import { checkBody } from '../harness/openapi-check.ts'
import { price, root, sharedSiteService, siteTree, siteUrl } from '../harness/site-service.ts'
import { readExamples, readPages, textOf, type Example, type Page } from './html.ts'

const service = sharedSiteService()
let pages: Page[]
/** The published files on a separate host, as a guide reads them. */
let files: Server
let filesAddress: string

beforeAll(async () => {
  installClient(service.folder)
  pages = readPages()
  files = createServer((req, res) => {
    // The base URL has a path.
    const path = join(siteTree, new URL(req.url!, 'http://files').pathname.replace(/^\/the\/tree\//, '/'))
    createReadStream(path)
      .on('error', () => res.writeHead(404).end())
      .pipe(res)
  })
  filesAddress = `http://127.0.0.1:${await startListening(files)}/the/tree`
})

afterAll(() => void files?.close())

function textOfPages(under: string): string {
  return pages
    .filter(({ path }) => path.startsWith(under))
    .map(({ html }) => textOf(html))
    .join('\n')
}

/** Returns the responses that the reference shows. */
function readRecordings() {
  const text = readFileSync(join(siteTree, 'site', 'samples.json'), 'utf8')
  return (JSON.parse(text) as { recordings: { operation: string; body: unknown }[] }).recordings
}

describe('the docs', () => {
  test('mention every operation and each of its parameters', () => {
    for (const { id, path, pathParameters, queryParameters } of operations) {
      const page = pages.find((candidate) => candidate.path === `/reference/operations/${id.toLowerCase()}/`)
      expect(page, id).toBeDefined()
      const text = textOf(page!.html)
      expect(text).toContain(path)
      for (const name of [...Object.keys(pathParameters), ...Object.keys(queryParameters)])
        expect(text).toContain(name)
    }
    const guides = textOfPages('/guides/')
    const front = textOf(pages.find(({ path }) => path === '/')!.html)
    for (const { path, pathParameters, queryParameters } of operations) {
      expect(front).toContain(`GET /v1${path}`)
      for (const name of [...Object.keys(pathParameters), ...Object.keys(queryParameters)])
        expect(guides).toContain(name)
    }
  })

  const headers = ['Cache-Control', 'WWW-Authenticate', 'Allow', 'Vary', 'If-None-Match', 'Link']
  const codes = Object.entries(errorCodes).flatMap(([code, { statuses }]) => [code, ...statuses])
  const plans = defaultPlans.flatMap((plan) => [
    plan.name,
    plan.perPeriod!.toLocaleString('en'),
    plan.perMinute,
  ])
  test.each([
    ['error code and its statuses', '/guides/errors/', codes],
    ['header', '/guides/', [...exposedHeaders.split(', '), ...headers, 'Access-Control-Allow-Origin']],
    ['cache class', '/guides/', Object.values(cacheClasses)],
    ['plan and its numbers', '/guides/limits/', plans],
  ])('mention every %s', (_, under, all) => {
    const text = textOfPages(under)
    for (const part of all) expect(text).toContain(String(part))
  })

  test('have the site’s address in every page, list and example for users of the API', () => {
    const site = join(siteTree, 'site')
    const all = fastGlob.sync('**/*.{html,md,txt,xml,mjs}', { cwd: site })
    const read = (file: string) => readFileSync(join(site, file), 'utf8')
    const forUsers = all.filter((file) => !/^(operate|design|decisions)\b/.test(file))
    expect(forUsers.filter((file) => read(file).includes('127.0.0.1:8080'))).toEqual([])
    for (const file of ['llms.txt', 'sitemap-0.xml', 'guides/feed.md', 'examples/server.mjs'])
      expect(read(file), file).toContain(siteUrl)
  })

  test('give the address of the files if the operator has opened them', () => {
    expect(textOfPages('/guides/files/')).toContain('https://files.example/tree/index.json')
  })

  test('show the operator’s prices on the page of the plans', () => {
    const { html } = pages.find(({ path }) => path === '/about/plans/')!
    const lastCells = [...html.matchAll(/<td>([^<]*)<\/td>\s*<\/tr>/g)].map(([, cell]) => textOf(cell!))
    expect(lastCells).toEqual(['free', price, 'on request'])
    expect(textOfPages('/guides/limits/')).not.toContain(price)
  })

  test('link to the source code on every page if the operator has set it', () => {
    const link = '<a href="https://operator.example/source"'
    expect(pages.filter(({ html }) => !html.includes(link)).map(({ path }) => path)).toEqual([])
  })

  test('mention every command, option and environment variable', () => {
    const text = textOfPages('/operate/commands/')
    for (const command of commands) {
      expect(text).toContain(command.name)
      for (const name of Object.keys(command.options)) {
        expect(text).toContain(`--${name}`)
        if (name !== 'help') expect(text).toContain(environmentName(name))
      }
    }
    expect(text).toContain('SOURCE_DATE_EPOCH')
  })

  test('show examples in the reference that match the schemas', () => {
    const recordings = readRecordings()
    expect(new Set(recordings.map(({ operation }) => operation)).size).toBe(operations.length)
    for (const { operation, body } of recordings)
      checkBody(operation, operations.find(({ id }) => id === operation)!.path, 200, body)
  })

  test('show an example of every field of every record', () => {
    const bodies = Map.groupBy(readRecordings(), ({ operation }) => operation)
    for (const { id } of operations) {
      const exampleFields = new Set(bodies.get(id)!.flatMap(({ body }) => fieldsOfValue(body)))
      const missing = fieldsOfRecord(id).filter(({ path }) => !exampleFields.has(path))
      expect(missing, id).toEqual([])
    }
  })

  test('are listed for language models as Markdown, except for the page for missing pages', () => {
    const list = readFileSync(join(siteTree, 'site', 'llms.txt'), 'utf8')
    const links = [...list.matchAll(/\]\((http[^)]+)\)/g)].map(([, link]) => new URL(link!).pathname)
    expect(links.length).toBeGreaterThan(operations.length + 20)
    expect(links).not.toContainEqual(expect.stringContaining('404'))
    for (const path of links) expect(statSync(join(siteTree, 'site', path)).isFile(), path).toBe(true)
  })

  test('are complete as Markdown: pictures are described, and headings have no links', () => {
    const text = readFileSync(join(siteTree, 'site', 'llms-full.txt'), 'utf8')
    expect(text).toContain('Picture: Eight clips, A to H, are shuffled')
    expect(text).not.toContain('Section titled')
  })

  test('name the language of each word in an East Asian script', () => {
    const text = /<[^>]*>|[^<]+/g
    const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
    const faults = pages.flatMap(({ path, html }) => {
      const pieces = html.slice(html.indexOf('<main')).match(text)!
      const isFault = (piece: string, i: number) =>
        eastAsian.test(piece) && !piece.startsWith('<') && !/ lang="(ja|zh)"/.test(pieces[i - 1]!)
      return pieces.filter(isFault).map((piece) => `${path}: ${piece}`)
    })
    expect(faults).toEqual([])
    expect(pages.some(({ html }) => html.includes('<span lang="ja">食べました</span>'))).toBe(true)
  })

  test('have no dead link, and no link to a missing heading', () => {
    const { files } = parseSiteFiles(readFileSync(join(siteTree, 'site', 'files.json'), 'utf8'))
    const rendered = ['/signup/', '/key/']
    const written = Object.keys(files).map((name) => '/' + name.replace(/index\.html$/, ''))
    const addresses = new Set([...rendered, ...written])
    const faults: string[] = []
    for (const { path, html } of pages) {
      for (const [, link] of html.replace(/<pre[\s\S]*?<\/pre>/g, '').matchAll(/\s(?:href|src)="([^"]+)"/g)) {
        const url = new URL(decodeHTML(link!), `http://site${path}`)
        if (url.hostname !== 'site' || !url.protocol.startsWith('http')) continue
        if (url.pathname.startsWith('/v1/')) continue
        if (!addresses.has(decodeURIComponent(url.pathname))) faults.push(`${path} → ${link}`)
        const target = pages.find((page) => page.path === url.pathname)
        const fragment = decodeURIComponent(url.hash.slice(1))
        // A fragment with the state of a page is not a place on it.
        if (url.pathname === '/explorer/' && fragment.startsWith('view=')) continue
        if (fragment && target && !target.html.includes(`id="${fragment}"`) && !isOperation(fragment))
          faults.push(`${path} → ${link}: no such place`)
      }
    }
    expect(faults).toEqual([])
  })

  test('have a social card on each page', () => {
    for (const { path, html } of pages) {
      const card = /property="og:image" content="[^"]*?(\/cards\/[^"]+)"/.exec(html)?.[1]
      expect(card, path).toBeDefined()
      expect(statSync(join(siteTree, 'site', card!)).size, path).toBeGreaterThan(5000)
    }
  })

  test('every curl, shell, JavaScript, TypeScript and Python example runs against a live service', async () => {
    const examples = readExamples(shareOf(pages)).filter(
      ({ language, page }) =>
        language in programs &&
        (language !== 'python' || hasPython) &&
        (page !== '/guides/files/' || hasMirrorTools) &&
        // Other tests run these: the next one, and test/scripts, because the `bash` commands for
        // operators replace a tree or a store, or build the site.
        page !== flashcardsPage &&
        !(language === 'bash' && page.startsWith('/operate/')),
    )
    const distinct = [...new Map(examples.map((example) => [example.code, example])).values()]
    for (const language of ['sh', 'js', ...(hasPython ? ['python'] : [])])
      expect(distinct.filter((example) => example.language === language).length, language).toBeGreaterThan(0)
    const stand = standIn(await service.newKey('docs'))
    const files = distinct.map((example, i) => ({ ...example, file: writeExample(example, stand, i) }))
    // Servers run until they listen, and shell scripts share one tree and one store, so each runs
    // in its own process. All others in a language share one process.
    const isServer = ({ code }: Example) => /\.listen\(|\bnode server\.mjs/.test(code)
    const isAlone = (example: Example) => example.language.endsWith('sh') || isServer(example)
    const faults: string[] = []
    const run = async (program: string, args: string[], staysOpen = false) => {
      const fault = await runProgram(program, args, stand, staysOpen)
      if (fault) faults.push(fault)
    }
    const runAlone = async () => {
      for (const example of files.filter(isAlone))
        for (const program of programs[example.language]!.programs)
          await run(program, [example.file], isServer(example))
    }
    const runTogether = async () => {
      const others = files.filter((example) => !isAlone(example))
      for (const [language, examples] of Map.groupBy(others, (example) => example.language)) {
        const { programs: versions, runner } = programs[language]!
        const paths = examples.map(({ file }) => file)
        for (const program of versions) await run(program, [join(import.meta.dirname, runner!), ...paths])
      }
    }
    await Promise.all([runAlone(), runTogether()])
    expect(faults).toEqual([])
  })

  test('the guide to flashcards shows the service’s responses, and each of its programs writes the same deck', async () => {
    const stand = standIn(await service.newKey('flashcards'))
    const examples = readExamples(pages.filter(({ path }) => path === flashcardsPage))
    const [list] = examples.filter(({ language }) => language === 'text')
    // Some editors start a file with a byte order mark. 食べる is the word of 食べた.
    writeFileSync(join(stand.folder, 'words.txt'), `\ufeff${list!.code}\r\n\n食べる\n散歩,食べた\n`)
    let responseCount = 0
    const decks: string[] = []
    for (const [i, example] of examples.entries()) {
      const { language, code } = example
      if (language === 'json') {
        const { stdout } = await runToEnd('bash', writeExample(examples[i - 1]!, stand, i), stand)
        expect(JSON.parse(stdout)).toEqual(JSON.parse(code, matchPart))
        responseCount++
      }
      if (!/^(js|python)$/.test(language) || (language === 'python' && !hasPython)) continue
      const file = writeExample(example, stand, i)
      for (const program of programs[language]!.programs) {
        const { stderr } = await runToEnd(program, file, stand)
        expect(stderr).toBe('寿司 is not in the catalogue.\n散歩,食べた is not in the catalogue.\n')
        decks.push(readFileSync(join(stand.folder, 'deck.txt'), 'utf8'))
        rmSync(join(stand.folder, 'deck.txt'))
      }
    }
    expect(responseCount).toBe(3)
    expect(decks).toHaveLength(2 * nodes.length + (hasPython ? 1 : 0))
    expect(new Set(decks).size, decks.join('\n')).toBe(1)
    const link = (videoId: string, startS: number, title: string) =>
      `<a href="${siteUrl}/sample-clips/?v=${videoId}#t=${startS}">${title} · 商店街ものがたり</a>`
    const walk = ['散歩', 'さんぽ', 'walk, stroll']
    const walking = "Since last year, I've been in the habit of taking a walk every morning."
    const eat = ['食べる', 'たべる', 'eat']
    const eating = 'I walk to lose weight, but I eat more and more bread.'
    const source = (startS: number) => link('ja-a-habit-with-bread', startS, '散歩とパンの習慣')
    const lines = decks[0]!.trimEnd().split('\n').slice(2)
    expect(lines.map((line) => line.split('\t'))).toEqual([
      ['#columns:Sentence', 'Word', 'Reading', 'Meaning', 'Translation', 'Source'],
      ['去年から、毎朝<b>散歩</b>をする習慣ができました。', ...walk, walking, source(0.47)],
      ['やせるつもりで歩いているのに、<b>食べる</b>パンが増えました。', ...eat, eating, source(17.7)],
    ])
  })

  longTest('each program of the guide to flashcards keeps its cards when the quota is used up', async () => {
    const key = await service.newKey('list')
    const { json } = await service.get('/words?language=ja&limit=12', { key })
    const list = (json.words as { word: string }[]).map(({ word }) => word)
    const examples = readExamples(pages.filter(({ path }) => path === flashcardsPage))
    const all = examples.filter(({ language }) => language === 'js' || (language === 'python' && hasPython))
    for (const [i, example] of all.entries()) {
      const stand = standIn(await service.newKey(`trial-${i}`, 'trial'))
      writeFileSync(join(stand.folder, 'words.txt'), list.join('\n'))
      const [program] = programs[example.language]!.programs
      const file = writeExample(example, stand, i)
      await expect(runToEnd(program!, file, stand)).rejects.toMatchObject({
        code: 1,
        stdout: 'Cards in deck.txt: 9\n',
        stderr: expect.stringMatching(/^This account has used all 20 look-ups .*\n$/),
      })
      const cards = readFileSync(join(stand.folder, 'deck.txt'), 'utf8').trimEnd().split('\n').slice(3)
      expect(cards.map((card) => card.split('\t')[1])).toEqual(list.slice(0, 9))
    }
  })

  test('every JSON example is valid, and matches its page', () => {
    const examples = readExamples(pages).filter(({ language }) => language === 'json')
    const pagesWithJson = Map.groupBy(examples, ({ page }) => page.split('/').slice(0, 3).join('/'))
    const recordsOn = (page: string) =>
      pagesWithJson.get(page)!.map(({ code }) => JSON.parse(code) as unknown)
    for (const record of recordsOn('/reference/operations')) errorSchema.parse(record)
    const [word, clip] = recordsOn('/operate/corpus-format')
    catalogueLineSchema.parse(word)
    expect(parseClip(JSON.stringify(clip))).toMatchObject({ ok: true })
    // The configurations of assistants start a command of this project.
    for (const record of recordsOn('/guides/language-models')) {
      const [servers] = Object.values(record as Record<string, Record<string, { args: string[] }>>)
      const [path, command] = servers!['clip-lookup']!.args
      expect(existsSync(join(root, path!.replace('/path/to/clip-lookup', ''))), path).toBe(true)
      expect(commands.map(({ name }) => name)).toContain(command)
    }
    // Other tests compare these with the actual data, or load them.
    const others = ['/operate/monitoring', '/guides/make-flashcards', '/guides/client-examples']
    expect([...pagesWithJson.keys()].sort()).toEqual(
      ['/reference/operations', '/operate/corpus-format', '/guides/language-models', ...others].sort(),
    )
  })
})

/** The guide whose programs read a file, and write one. */
const flashcardsPage = '/guides/make-flashcards/'

/** Runs a program on a file, and returns its output. */
function runToEnd(program: string, file: string, { folder, env }: Stand) {
  return promisify(execFile)(program, [file], { cwd: folder, env, timeout: 60_000 })
}

/** A JSON reviver for a response of which a page shows a part. */
function matchPart(_: string, value: unknown): unknown {
  if (Array.isArray(value)) return expect.arrayContaining(value)
  return typeof value === 'object' && value !== null ? expect.objectContaining(value) : value
}

describe('the built sign-up pages', () => {
  /** Returns the page for a form with this account, or for the empty form. */
  async function signUpPage(status: number, account?: string): Promise<string> {
    const body = account === undefined ? {} : { body: new URLSearchParams({ account }), method: 'POST' }
    const response = await fetch(`${service.origin}/signup/`, body)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; script-src 'self' /)
    const text = await response.text()
    expect(text).not.toContain('{{')
    return text
  }

  test('have a form, and only its page is in the site map', async () => {
    expect(await signUpPage(200)).toContain('Create a trial key')
    const map = await (await fetch(`${service.origin}/sitemap-0.xml`)).text()
    expect(map.match(/signup\/[^<]*/g)).toEqual(['signup/'])
  })

  test('show the account with its key, or the error of a form with the name that was entered', async () => {
    const made = await signUpPage(200, '<b>ann</b>')
    expect(made).toContain('&lt;b&gt;ann&lt;/b&gt;')
    expect(made.match(/clk_\w{38}/g)).toHaveLength(2)
    await signUpPage(200, 'taken')
    const taken = await signUpPage(409, 'taken')
    expect(taken).toContain('An account with this name already exists')
    expect(taken).toContain('value="taken"')
  })
})

/** `/console/#getFeed?limit=3` names an operation and its parameters, not a place. */
const isOperation = (fragment: string): boolean => operations.some(({ id }) => id === fragment.split('?')[0])

/** A user's folder: the project, without the files that its commands write. */
type Stand = { folder: string; env: NodeJS.ProcessEnv }

function standIn(key: string): Stand {
  const stand = mkdtempSync(join(service.folder, 'stand-'))
  copyFileSync(join(root, 'package.json'), join(stand, 'package.json'))
  for (const name of ['scripts', 'src', 'public', 'node_modules', 'astro.config.mjs'])
    symlinkSync(join(root, name), join(stand, name))
  const env = {
    // A free port for a server.
    PORT: '0',
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: process.env.HOME,
    PYTHONPATH: join(root, 'src', 'client', 'python'),
    PYTHONDONTWRITEBYTECODE: '1',
    // Without requests to the registry.
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
    CLIP_LOOKUP_KEY: key,
    CLIP_LOOKUP_STORE: `sqlite:${join(stand, 'own.sqlite')}`,
  }
  return { folder: stand, env }
}

/**
 * The programs that run examples, keyed by their language, the extension of their files, and a
 * script that runs several. Other tests run the rest: `json` below, `html` and `javascript` (parts
 * of pages, and files to copy) in browser.test.ts, client-examples.test.ts and test/client. `text`
 * has nothing to run, and `jsonc` and `http` show recorded responses.
 */
const programs: Record<string, { programs: string[]; extension: string; runner?: string }> = {
  sh: { programs: ['bash'], extension: 'sh' },
  // Commands that write files or start a server.
  bash: { programs: ['bash'], extension: 'sh' },
  js: { programs: nodes, extension: 'mjs', runner: 'run-examples.mjs' },
  ts: { programs: [process.execPath], extension: 'ts', runner: 'run-examples.mjs' },
  python: { programs: ['python3'], extension: 'py', runner: 'run_examples.py' },
}

const hasPython = spawnSync('python3', ['--version']).status === 0
const hasMirrorTools = spawnSync('jq', ['--version']).status === 0
if (!hasMirrorTools) process.stderr.write('no jq here: the examples of the published files are not run\n')
if (!hasPython) process.stderr.write('no python3 here: the Python examples are not run\n')

/** Writes an example as a user would, for the current service. Returns its file. */
function writeExample({ page, language, code }: Example, stand: Stand, number: number): string {
  const here = code
    .replaceAll(siteUrl, service.origin)
    .replaceAll('http://127.0.0.1:8080', service.origin)
    .replaceAll('https://files.example', filesAddress)
  // The name identifies the page of an example that fails.
  const name = `example${page.replaceAll('/', '-')}${number}`
  const file = join(stand.folder, `${name}.${programs[language]!.extension}`)
  // A shell that stops at the first failure, with a curl that fails on an error status.
  const failing = 'if [[ $1 == -f* ]]; then command curl "$@"; else command curl --fail-with-body "$@"; fi'
  // A server replaces the shell, so that it can be ended.
  const server = 'node() { exec "$(type -P node)" "$@"; }\n'
  const prelude = `set -euo pipefail\ncurl() { ${failing}; }\n${language === 'bash' ? server : ''}`
  writeFileSync(file, language.endsWith('sh') ? `${prelude}${here}\n` : here)
  return file
}

/** Returns the fault, or null. A server is correct once it listens. */
function runProgram(
  program: string,
  args: string[],
  { folder: cwd, env }: Stand,
  isServer: boolean,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env, timeout: 240_000 }, (error, stdout, stderr) => {
      const isListening = isServer && /listening|http:/.test(stdout)
      const output = `${stdout.slice(-300)}${stderr.slice(-3000)}`
      resolve(
        error && !isListening ? `${program} ${args.at(-1)}: ${error.message.slice(0, 200)}\n${output}` : null,
      )
    })
    if (isServer) child.stdout!.on('data', (text: string) => /listening|http:/.test(text) && child.kill())
  })
}
