import { closeSync, openSync } from 'node:fs'

/** SIGHUP, heard. */
export interface Hangup {
  /** Called on the signal; nothing is done before it is set. */
  reload(): void
  /**
   * Resolves, with the reason, when the signal came because the terminal of this process was
   * closed.
   */
  terminalGone: Promise<string>
}

/**
 * Hears SIGHUP, which asks a service to look for what is new; but a terminal that is closed sends
 * it as well, to all that runs in it.
 */
export function hearHangup(): Hangup {
  const hadTerminal = hasTerminal()
  const hangup: Hangup = {
    reload() {},
    terminalGone: new Promise((resolve) => {
      process.on('SIGHUP', () => {
        if (hadTerminal && !hasTerminal()) resolve('the terminal is gone')
        else hangup.reload()
      })
    }),
  }
  return hangup
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
