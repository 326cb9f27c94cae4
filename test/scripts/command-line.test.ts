import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure, share, UsageError, wholeNumber, type Command } from '../../scripts/command-line.ts'
import { commands } from '../../scripts/commands.ts'
import { commandHelp } from '../../scripts/help.ts'
import { readInput } from '../../scripts/read-input.ts'
import { sayReport } from '../../scripts/say-report.ts'
import packageInfo from '../../package.json' with { type: 'json' }
import { failure, programPath, recorder, runProgramWith } from '../harness/command.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const command: Command = {
  name: 'keys make',
  summary: 'Make a key.',
  positionals: 'NAME',
  options: {
    corpus: { value: 'DIR', description: 'where from', required: true },
    'max-shrink': { value: 'N', description: 'how much', default: '20%' },
    replace: { value: 'ID', description: 'which', multiple: true },
    strict: { description: 'whether' },
    json: { description: 'print data as JSON' },
    help: { description: 'print this help (-h)' },
  },
  examples: ['keys make ann --corpus corpus'],
  page: 'operate/keys-and-accounts',
  load: () => Promise.reject(new Error('not loaded here')),
}
const read = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  readInput(command, args, { env, stdout: recorder(), stderr: recorder(), commands: [command] })

describe('values', () => {
  test('come from the flag, then the environment, then the default', () => {
    const env = { CLIP_LOOKUP_MAX_SHRINK: '30%', CLIP_LOOKUP_CORPUS: 'c' }
    expect(read(['--max-shrink', '40%'], env).values['max-shrink']).toBe('40%')
    expect(read([], env).values['max-shrink']).toBe('30%')
    expect(read([], { CLIP_LOOKUP_CORPUS: 'c' }).values['max-shrink']).toBe('20%')
  })

  test('an environment variable that is empty counts as absent', () => {
    expect(read(['--corpus', 'c'], { CLIP_LOOKUP_MAX_SHRINK: '' }).values['max-shrink']).toBe('20%')
    expect(() => read([], { CLIP_LOOKUP_CORPUS: '' })).toThrow('the command needs --corpus DIR')
  })

  test('are a list if they are repeated; the environment separates them by commas, and a flag replaces them all', () => {
    const env = { CLIP_LOOKUP_CORPUS: 'c', CLIP_LOOKUP_REPLACE: 'a,b' }
    expect(read([], env).lists.replace).toEqual(['a', 'b'])
    expect(read(['--replace', 'x', '--replace=y'], env).lists.replace).toEqual(['x', 'y'])
    expect(read(['--corpus', 'c']).lists.replace).toEqual([])
  })

  test('turn switches on by flag, or with 1, true or yes', () => {
    const strict = (value: string, args: string[] = []) =>
      read(['--corpus', 'c', ...args], { CLIP_LOOKUP_STRICT: value }).switches.strict
    const values = ['1', 'true', 'YES', '0', 'false', 'no', '']
    expect(values.filter((value) => strict(value))).toEqual(['1', 'true', 'YES'])
    expect(strict('0', ['--strict'])).toBe(true)
    expect(() => strict('maybe')).toThrow('CLIP_LOOKUP_STRICT must be 1 or 0, but it is "maybe"')
  })
})

test('a report of more than 20 lines is shortened, and says which file has them all', () => {
  const said: string[] = []
  const lines = Array.from({ length: 21 }, (_, i) => `line ${i}`)
  sayReport({ say: (line) => void said.push(line) }, lines.slice(1))
  expect(said).toEqual(lines.slice(1))
  said.length = 0
  sayReport({ say: (line) => void said.push(line) }, lines)
  expect(said.slice(0, 20)).toEqual(lines.slice(0, 20))
  const [, file] = /^… and 1 more; all 21 are in (.+)$/.exec(said[20]!)!
  expect(readFileSync(file!, 'utf8')).toBe(`${lines.join('\n')}\n`)
})

test.each([
  ['xterm', true],
  ['dumb', false],
])('on a terminal of the type %s, progress is shown with escapes: %s', (TERM, isShown) => {
  const stderr = Object.assign(recorder(), { isTTY: true })
  const streams = { env: { TERM }, stdout: recorder(), stderr }
  const input = readInput(command, ['--corpus', 'c'], { ...streams, commands: [command] })
  input.progress('half')
  input.say('done')
  expect(stderr.text().includes('\x1b')).toBe(isShown)
  expect(stderr.text()).toContain('done\n')
})

describe('wrong usage', () => {
  test.each<[string[], string]>([
    [[], 'the command needs --corpus DIR'],
    [['--corpus'], '--corpus needs a value. Write --corpus DIR'],
    [
      ['--corpus', '--strict'],
      '--corpus needs a value, but the option --strict follows. If --strict is the value, write --corpus=--strict',
    ],
    [['--corpus', 'c', '--strict=yes'], '--strict does not take a value, but "yes" was given'],
  ])('%j', (args, message) => expect(() => read(args)).toThrow(new UsageError(message)))

  test.each([
    ['--nonsense', ''],
    ['--strct', ' Did you mean --strict?'],
    ['--max-shrnk', ' Did you mean --max-shrink?'],
    ['-x', ''],
    ['--constructor', ''],
  ])('%s, which is no option', (option, advice) => {
    const error = new UsageError(`${option} is not an option of this command.${advice}`)
    expect(() => read(['--corpus', 'c', option])).toThrow(error)
  })

  test.each(['', '-1', '1.5', '1e3', '0x1', '65536', ' 1'])('a port that is %j, not in range', (value) =>
    expect(() => wholeNumber('port', value, 0, 65_535)).toThrow(UsageError),
  )
})

test('an id may begin with a hyphen, and "-" alone is a value', () => {
  const { lists } = read(['--corpus', '-', '--replace', '-abc', '--replace', '-h'])
  expect(lists.replace).toEqual(['-abc', '-h'])
})

test('paths are relative to the user’s folder', () => {
  expect(read(['--corpus', 'c'], { INIT_CWD: '/stand' }).path('a/b')).toBe('/stand/a/b')
  expect(read(['--corpus', 'c'], { INIT_CWD: '/stand' }).path('/a')).toBe('/a')
  expect(read(['--corpus', 'c']).path('a')).toBe(join(process.cwd(), 'a'))
})

test('the help names every option, with its default', () => {
  const help = commandHelp(command)
  expect(help.split('\n')[0]).toBe('Usage: clip-lookup keys make NAME [options]')
  const options = 'Make a key.|--corpus DIR|(required)|(default 20%)|--replace ID …|--strict|--json|--help'
  for (const part of options.split('|')) expect(help).toContain(part)
})

describe('the program', () => {
  const program = (args: string[]) => runProgramWith(commands, args)

  test.each(commands.map(({ name }) => name))('%s has --help on stdout within 100 columns', async (name) => {
    const { code, stdout, stderr } = await program([...name.split(' '), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: clip-lookup ${name} `))
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(await program(['help', ...name.split(' ')])).toEqual({ code, stdout, stderr })
    expect(await program([...name.split(' '), '-h'])).toEqual({ code, stdout, stderr })
  })

  test.each([[['--help']], [['-h']], [['help']]])('lists the commands on stdout for %j', async (args) => {
    const { code, stdout, stderr } = await program(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const { name } of commands) expect(stdout).toContain(`\n  ${name} `)
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
  })

  test('lists the commands of a group with --help', async () => {
    const { code, stdout } = await program(['keys', '--help'])
    expect(code).toBe(0)
    const names = commands.map(({ name }) => name).filter((name) => name.startsWith('keys '))
    expect(stdout.match(/^ {2}\w+ \w+/gm)).toEqual(names.map((name) => `  ${name}`))
  })

  test.each([[['--version']], [['version']]])('prints the version for %j', async (args) => {
    expect(await program(args)).toEqual({ code: 0, stdout: `${packageInfo.version}\n`, stderr: '' })
  })

  test('has a page in the docs for each command, whose examples use existing options and run', async () => {
    for (const { name, options, examples, page, load } of commands) {
      expect(examples.length).toBeGreaterThan(0)
      for (const line of examples) {
        expect(line.startsWith(name)).toBe(true)
        for (const [, option] of line.matchAll(/ --([\w-]+)/g)) expect(Object.keys(options)).toContain(option)
      }
      expect(existsSync(join(import.meta.dirname, `../../src/site/content/docs/${page}.mdx`))).toBe(true)
      expect(await load()).toBeTypeOf('function')
    }
  })

  test.each([
    ['clip-lookup ', 'import catalogue keys serve'],
    ['clip-lookup keys ', 'create list disable enable rotate'],
    ['clip-lookup keys create --acc', '--account'],
    ['clip-lookup serve --admin-p', '--admin-port'],
  ])('completes %j in bash', async (typed, offered) => {
    const { stdout: script } = await program(['completion', 'bash'])
    const words = typed.split(' ').map((word) => `'${word}'`)
    const run = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _clip_lookup; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${run}`], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining(offered.split(' ')))
  })

  test('completes commands in zsh and fish, too, and in no other shell', async () => {
    expect((await program(['completion', 'zsh'])).stdout).toMatch(/^#compdef clip-lookup\n/)
    expect((await program(['completion', 'fish'])).stdout).toContain(
      "complete -c clip-lookup -n '__fish_seen_subcommand_from keys; and __fish_seen_subcommand_from create' -l account\n",
    )
    expect((await program(['completion', 'tcsh'])).code).toBe(2)
  })

  test.each([
    ['biuld', '', 'There is no command "biuld". Did you mean "build"?'],
    ['nonsense', '', 'There is no command "nonsense".'],
    ['keys crate --account ann', 'keys ', 'There is no command "keys crate". Did you mean "keys create"?'],
    ['--verison', '', 'The option --verison must follow a command. Did you mean --version?'],
    ['key list', '', 'There is no command "key". Did you mean "keys list"?'],
  ])('exits with 2 for %j, which is not a command, and prints two lines', async (args, group, error) => {
    const stderr = `For a list of commands, run "clip-lookup ${group}--help".\n${error}\n`
    expect(await program(args.split(' '))).toEqual({ code: 2, stdout: '', stderr })
  })

  test.each<[string[]]>([[[]], [['keys']]])('exits with 2 for %j and lists the commands', async (args) => {
    const help = /^Usage: clip-lookup [^]*\n {2}keys create [^]*\nName one of these commands.\n$/
    expect(await program(args)).toEqual(failure(2, help))
  })

  test.each([
    [['build', '--corpus', 'c', 'more'], 'The command does not take the argument "more"'],
    [['serve', 'more'], 'The command does not take the argument "more"'],
    [['serve', '--port', 'x'], '--port must be a whole number from 0 to 65535, but it is "x".'],
    [['serve', '--store', 'mysql://x'], 'mysql://x'],
  ])('exits with 2 for the wrong arguments %j, and prints two lines on stderr', async (args, message) => {
    const outcome = await program(args)
    const help = `Usage: clip-lookup ${args[0]} [options]. For help, run "clip-lookup ${args[0]} --help".`
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr.split('\n')).toEqual([help, expect.stringContaining(message), ''])
  })

  const denied = { code: 'EACCES', syscall: 'mkdir', path: '/x/dist' }
  test.each([
    ['a failure is one line', new Failure('no luck'), /^No luck\.\n$/],
    [
      'an error of the file system says what was done, with which path, and what to do',
      Object.assign(new Error("EACCES: permission denied, mkdir '/x/dist'"), denied),
      /^Cannot make the folder "\/x\/dist": permission denied. Run the command as another user, or change the owner or mode\.\n$/,
    ],
    [
      'a package that is not installed is named',
      new Error("Cannot find package 'zod' imported from /opt/clip-lookup/src/x.ts"),
      /^The package "zod" is not installed\. Run "npm install" in the folder of the project\.\n$/,
    ],
    [
      'an error that nobody foresaw shows its stack',
      new TypeError('x is undefined'),
      /^TypeError: x is undefined\n {4}at /,
    ],
  ])('%s exits with 1', async (_, error, said) => {
    const load = async () => () => Promise.reject(error)
    const outcome = await runProgramWith([{ ...command, name: 'fail', options: {}, load }], ['fail', 'NAME'])
    expect(outcome).toEqual(failure(1, said))
  })

  test('without dependencies, an old Node says how to install a new one', () => {
    const folder = tempFolder()
    const path = join(folder, 'clip-lookup.mjs')
    copyFileSync(programPath, path)
    const age = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.1.0' } })`
    const outcome = spawnSync(process.execPath, ['--import', age, path, 'version'], { encoding: 'utf8' })
    expect(outcome).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('npm install') })
  })

  test('as a process, reads arguments, prints, and exits with the code', () => {
    const start = (...args: string[]) => {
      return spawnSync(process.execPath, [programPath, ...args], { encoding: 'utf8' })
    }
    expect(start('--version')).toMatchObject({ status: 0, stdout: `${packageInfo.version}\n`, stderr: '' })
    expect(start('nonsense')).toMatchObject({ status: 2, stdout: '' })
  })
})

test('reads a share with or without a space and decimals', () => {
  const shares = ['20%', '0 %', '12.5%', '100%'].map((text) => share('max-shrink', text))
  expect(shares).toEqual([0.2, 0, 0.125, 1])
})

test.each(['20', '', '%', '-1%', '101%', '1e1%', '.5%', '100.1%'])('%j is not a share', (text) => {
  expect(() => share('max-shrink', text)).toThrow(UsageError)
})
