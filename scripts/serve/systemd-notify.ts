import { execFile } from 'node:child_process'

/** Tells systemd the state of a service of `Type=notify` (sd_notify(3)). */
export interface SystemdNotifier {
  ready(): void
  stopping(): void
}

const silent: SystemdNotifier = { ready() {}, stopping() {} }

/**
 * Tells systemd when the service is ready, when it stops, and, twice in each watchdog period, that
 * it is alive, as long as `isAlive` says so. Does nothing if systemd did not start this process.
 */
export function systemdNotifier(env: NodeJS.ProcessEnv, isAlive: () => Promise<boolean>): SystemdNotifier {
  if (!env.NOTIFY_SOCKET) return silent
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1000
  let watching: NodeJS.Timeout | undefined
  return {
    ready() {
      notify('READY=1', env)
      if (watchdogMs > 0) {
        const check = async () => (await isAlive()) && notify('WATCHDOG=1', env)
        watching = setInterval(() => void check(), watchdogMs / 2).unref()
      }
    },
    stopping() {
      clearInterval(watching)
      notify('STOPPING=1', env)
    },
  }
}

/** Node has no Unix datagram sockets, so the program that comes with systemd sends the message. */
function notify(state: string, env: NodeJS.ProcessEnv): void {
  execFile('systemd-notify', [`--pid=${process.pid}`, state], { env }, () => {})
}
