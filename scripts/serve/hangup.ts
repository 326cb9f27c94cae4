import { closeSync, openSync } from 'node:fs'

/** What SIGHUP does to this process. */
export interface Hangups {
  /** Called for a signal that asks the service to reload; does nothing until it is set. */
  reload(): void
  /** Resolves, with the reason, for a signal that came because the terminal was closed. */
  terminalClosed: Promise<string>
}

/**
 * Listens for SIGHUP. It asks a service to reload; but a terminal that is closed sends it, too, to
 * every process that it runs.
 */
export function watchHangups(): Hangups {
  const hadTerminal = hasTerminal()
  const hangups: Hangups = {
    reload() {},
    terminalClosed: new Promise((resolve) => {
      process.on('SIGHUP', () => {
        if (hadTerminal && !hasTerminal()) resolve('the terminal was closed')
        else hangups.reload()
      })
    }),
  }
  return hangups
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
