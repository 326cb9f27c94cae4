import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen on a free port, and says where, for `startServer`. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    process.stderr.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
}
