import { closeSync, openSync } from 'node:fs'

/**
 * Listens for SIGHUP. The signal asks a service to reload. A terminal that is closed also sends it
 * to every process that it runs: `terminalClosed` then resolves, with the reason.
 */
export function watchHangups() {
  const hadTerminal = hasTerminal()
  const { promise: terminalClosed, resolve } = Promise.withResolvers<string>()
  /** `reload` does nothing until it is set. */
  const hangups = { reload() {}, terminalClosed }
  process.on('SIGHUP', () => {
    if (hadTerminal && !hasTerminal()) resolve('the terminal was closed')
    else hangups.reload()
  })
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
