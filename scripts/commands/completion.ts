import { positionals, UsageError, type Input } from '../command-line.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** The words that a shell can complete: the commands, and the options of each. */
type Words = readonly (readonly [command: string, summary: string, options: readonly string[]])[]

async function completion(input: Input): Promise<void> {
  const [shell] = positionals(input, 'SHELL')
  const script = { bash, zsh, fish }[shell as (typeof shells)[number]]
  if (!script)
    throw new UsageError(`there is no completion for the shell "${shell}", only for ${shells.join(', ')}`)
  const words = input.commands.map(
    ({ name, summary, options }) =>
      [name, summary, Object.keys(options).map((option) => `--${option}`)] as const,
  )
  input.print({ shell, script: script(words) }, script(words).trimEnd())
}

/** Returns a case for the words typed so far: a command, the first word of several, or nothing. */
function bash(words: Words): string {
  const isGroup = ([name]: Words[number]) => name.includes(' ')
  const firsts = Map.groupBy(words, ([name]) => name.split(' ')[0]!)
  const cases = [
    ...words.filter(isGroup).map(([name, , options]) => `'${name}'*) words='${options.join(' ')}' ;;`),
    ...[...firsts].map(([first, all]) => {
      const [only] = all as [Words[number]]
      if (!isGroup(only)) return `'${first}'*) words='${only[2].join(' ')}' ;;`
      return `'${first}') words='${all.map(([name]) => name.split(' ')[1]).join(' ')}' ;;`
    }),
    `'') words='${[...firsts.keys()].join(' ')}' ;;`,
  ]
  return `# bash completion of clip-lookup
_clip_lookup() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=''
  case "$typed" in
${cases.map((line) => `    ${line}`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _clip_lookup clip-lookup
`
}

function zsh(words: Words): string {
  return `#compdef clip-lookup
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`
}

function fish(words: Words): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const line = (when: string, candidates: string) => `complete -c clip-lookup -n ${quote(when)} ${candidates}`
  const lines = words.flatMap(([name, summary, options]) => {
    const [first, second] = name.split(' ') as [string, string?]
    const condition = `__fish_seen_subcommand_from ${first}`
    const offer = (when: string, word: string, isLast: boolean) =>
      line(when, `-f -a ${word}${isLast ? ` -d ${quote(summary)}` : ''}`)
    const isThis = second ? `${condition}; and __fish_seen_subcommand_from ${second}` : condition
    return [
      offer('__fish_use_subcommand', first, !second),
      ...(second ? [offer(condition, second, true)] : []),
      ...options.map((option) => line(isThis, `-l ${option.slice(2)}`)),
    ]
  })
  return `# fish completion of clip-lookup\n${[...new Set(lines)].join('\n')}\n`
}

export const commands = { completion }
