import { execFile } from 'node:child_process'

/** What tells systemd how a service of `Type=notify` is (sd_notify(3)). */
export interface SystemdNotifier {
  ready(): void
  stopping(): void
}

const silent: SystemdNotifier = { ready() {}, stopping() {} }

/**
 * Tells systemd when the service is ready, that it stops, and, half as often as its watchdog wants,
 * that it is alive: `isAlive` says whether it is. Does nothing where systemd did not start this
 * process.
 */
export function systemdNotifier(env: NodeJS.ProcessEnv, isAlive: () => Promise<boolean>): SystemdNotifier {
  if (!env.NOTIFY_SOCKET) return silent
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1000
  let watching: NodeJS.Timeout | undefined
  return {
    ready() {
      tell('READY=1', env)
      if (watchdogMs > 0) {
        const look = async () => (await isAlive()) && tell('WATCHDOG=1', env)
        watching = setInterval(() => void look(), watchdogMs / 2).unref()
      }
    },
    stopping() {
      clearInterval(watching)
      tell('STOPPING=1', env)
    },
  }
}

/** Node has no datagrams over Unix sockets, so the program that comes with systemd sends them. */
function tell(state: string, env: NodeJS.ProcessEnv): void {
  execFile('systemd-notify', [`--pid=${process.pid}`, state], { env }, () => {})
}
