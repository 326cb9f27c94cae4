import { Failure, UsageError, type Input } from './command-line.ts'

/**
 * Refuses a command that would have to ask and cannot, before anything is opened.
 *
 * @throws {UsageError} neither `--yes` nor a terminal
 */
export function checkCanConfirm({ switches, ask }: Input): void {
  if (!switches.yes && !ask)
    throw new UsageError('without a terminal, the command cannot ask for confirmation. Add --yes to confirm')
}

/** Asks on a terminal, unless `--yes` was given. @throws {Failure} the answer was not yes */
export async function confirm({ switches, ask }: Input, question: string): Promise<void> {
  if (switches.yes) return
  if (!ask) throw new Failure(`${question} Without a terminal, add --yes to confirm`)
  if (!/^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())) throw new Failure('nothing was changed')
}
