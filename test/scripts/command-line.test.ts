import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  commandHelp,
  environmentName,
  findCommand,
  readInput,
  usageLine,
  UsageError,
  wholeNumber,
  type Command,
} from '../../scripts/command-line.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { run } from './run.ts'

const command: Command = {
  name: 'keys make',
  positionals: 'NAME',
  summary: 'Makes a key.',
  options: {
    corpus: { value: 'DIR', description: 'where from', required: true },
    'max-shrink': { value: 'N', description: 'how much', default: '20%' },
    replace: { value: 'ID', description: 'which', multiple: true },
    strict: { description: 'whether' },
  },
  run: async () => {},
}
const read = (args: string[], env: NodeJS.ProcessEnv = {}) => readInput(command, args, env)

describe('values', () => {
  test('come from the flag, else the environment, else the default', () => {
    const env = { CLIP_LOOKUP_MAX_SHRINK: '30%', CLIP_LOOKUP_CORPUS: 'c' }
    expect(read(['--max-shrink', '40%'], env).values['max-shrink']).toBe('40%')
    expect(read([], env).values['max-shrink']).toBe('30%')
    expect(read([], { CLIP_LOOKUP_CORPUS: 'c' }).values['max-shrink']).toBe('20%')
  })

  test('an environment variable that is empty counts as absent', () => {
    expect(read(['--corpus', 'c'], { CLIP_LOOKUP_MAX_SHRINK: '' }).values['max-shrink']).toBe('20%')
    expect(() => read([], { CLIP_LOOKUP_CORPUS: '' })).toThrow('missing --corpus DIR')
  })

  test('given several times make a list; the environment has them comma separated, and a flag replaces them all', () => {
    const env = { CLIP_LOOKUP_CORPUS: 'c', CLIP_LOOKUP_REPLACE: 'a,b' }
    expect(read([], env).lists.replace).toEqual(['a', 'b'])
    expect(read(['--replace', 'x', '--replace=y'], env).lists.replace).toEqual(['x', 'y'])
    expect(read(['--corpus', 'c']).lists.replace).toEqual([])
  })

  test('switches are on by flag, or by 1, true or yes', () => {
    const strict = (value: string, args: string[] = []) =>
      read(['--corpus', 'c', ...args], { CLIP_LOOKUP_STRICT: value }).switches.strict
    expect(['1', 'true', 'YES', '0', 'false', 'no', ''].map((value) => strict(value))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
    expect(strict('0', ['--strict'])).toBe(true)
    expect(() => strict('maybe')).toThrow('CLIP_LOOKUP_STRICT must be 1 or 0, got "maybe"')
  })

  test('--json has an environment variable like every option', () => {
    expect(read(['--corpus', 'c'], { CLIP_LOOKUP_JSON: '1' }).switches.json).toBe(true)
  })

  test('what is no option is positional', () => {
    expect(read(['a', '--corpus', 'c', 'b']).positionals).toEqual(['a', 'b'])
  })
})

describe('wrong usage', () => {
  test.each<[string[], string]>([
    [[], 'missing --corpus DIR'],
    [['--corpus'], "Option '--corpus <value>' argument missing"],
    [['--corpus', 'c', '--nonsense'], "Unknown option '--nonsense'"],
    [['--corpus', 'c', '--strict=yes'], "Option '--strict' does not take an argument"],
  ])('%j', (args, message) => {
    expect(() => read(args)).toThrow(UsageError)
    expect(() => read(args)).toThrow(message)
  })

  test.each(['', '-1', '1.5', '1e3', '0x1', '65536', ' 1'])(
    'the port %j is no whole number in range',
    (value) => {
      expect(() => wholeNumber('port', value, 0, 65_535)).toThrow(UsageError)
    },
  )

  test('a number in range is read', () => {
    expect(wholeNumber('port', '65535', 0, 65_535)).toBe(65_535)
  })
})

test('paths are from where the user stands', () => {
  expect(read(['--corpus', 'c'], { INIT_CWD: '/stand' }).path('a/b')).toBe('/stand/a/b')
  expect(read(['--corpus', 'c'], { INIT_CWD: '/stand' }).path('/a')).toBe('/a')
  expect(read(['--corpus', 'c']).path('a')).toBe(join(process.cwd(), 'a'))
})

test('an option is called CLIP_LOOKUP_<OPTION> in the environment', () => {
  expect(environmentName('public-per-minute')).toBe('CLIP_LOOKUP_PUBLIC_PER_MINUTE')
})

test('a command is found by its words', () => {
  expect(findCommand([command], ['keys', 'make', 'ann'])).toEqual({ command, rest: ['ann'] })
  expect(findCommand([command], ['keys'])).toBeNull()
  expect(findCommand([command], [])).toBeNull()
})

test('the help names every option, with its default', () => {
  const help = commandHelp(command)
  expect(help.split('\n')[0]).toBe(usageLine(command))
  for (const part of [
    'Makes a key.',
    '--corpus DIR',
    '(required)',
    '(default 20%)',
    '--replace ID …',
    '--strict',
    '--json',
    '--help',
  ])
    expect(help).toContain(part)
  expect(usageLine(command)).toBe('usage: clip-lookup keys make NAME [options]')
})

const every = [
  'import',
  'build',
  'serve',
  'keys create',
  'keys list',
  'keys disable',
  'keys enable',
  'keys rotate',
  'accounts list',
  'accounts set-plan',
  'accounts usage',
]

describe('the program', () => {
  test('every command has --help on stdout and exits 0', async () => {
    const folder = tempFolder()
    const answers = await Promise.all(every.map((name) => run(folder, [...name.split(' '), '--help'])))
    for (const [i, name] of every.entries()) {
      expect(answers[i]).toMatchObject({ code: 0, stderr: '' })
      expect(answers[i]!.stdout).toMatch(new RegExp(`^usage: clip-lookup ${name} `))
    }
  })

  test('tells the commands under --help, on stdout', async () => {
    const { code, stdout } = await run(tempFolder(), ['--help'])
    expect(code).toBe(0)
    for (const name of every) expect(stdout).toContain(`\n  ${name} `)
  })

  test('tells those of a group under --help', async () => {
    const { code, stdout } = await run(tempFolder(), ['keys', '--help'])
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(5)
  })

  test.each([[['nonsense']], [['keys', 'nonsense']], [[]], [['--nonsense']]])(
    '%j exits 2 and tells the commands, on stderr',
    async (args) => {
      const { code, stdout, stderr } = await run(tempFolder(), args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('usage: clip-lookup')
    },
  )

  test.each([
    [['build', '--nonsense']],
    [['build', '--corpus', 'c', 'more']],
    [['serve', 'more']],
    [['serve', '--port', 'x']],
    [['serve', '--store', 'mysql://x']],
  ])('%j exits 2 with the usage line, on stderr', async (args) => {
    const { code, stdout, stderr } = await run(tempFolder(), args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`\nusage: clip-lookup ${args[0]} [options]\n`)
  })
})
