import { availableParallelism } from 'node:os'
import type { Command } from '../command-line.ts'
import { serve } from '../serve/lifecycle.ts'
import { defaultData } from '../serve/settings.ts'
import { storeOptions } from './store-options.ts'
import { originOptions } from './tree-options.ts'

export const serveTree: Command = {
  options: {
    data: {
      value: 'DIR|URL',
      description: 'the published tree: a folder, or the address of an origin that serves it',
      default: defaultData,
    },
    ...storeOptions,
    'init-store': {
      description: 'make the store in a Redis that has none; without it, the service waits for one',
    },
    durability: {
      value: 'WHAT',
      description: 'what counts survive: process (a crash), or power (a power failure, too, but slower)',
      default: 'process',
    },
    host: { value: 'H', description: 'address to listen on', default: '127.0.0.1' },
    port: { value: 'N', description: 'port to listen on; 0 for any free one', default: '8080' },
    'reuse-port': {
      description: 'share the port with a service that has this option too, to replace it without a gap',
    },
    workers: {
      value: 'N',
      description: 'number of processes; they share the port and the counters',
      default: String(availableParallelism()),
      shownDefault: 'as many as the machine has cores',
    },
    'public-per-minute': {
      value: 'N',
      description: 'requests a minute from one address without a key',
      default: '600',
    },
    'trust-proxy': {
      value: 'LIST',
      description: 'addresses and networks whose X-Forwarded-For is trusted, separated by commas',
    },
    signup: { description: 'let anyone create an account with a trial key, on the page /signup/' },
    'signup-per-day': {
      value: 'N',
      description:
        'accounts a day that one network can ask for with --signup: an address, an IPv6 /64 or /48',
      default: '5',
    },
    'signup-total-per-day': {
      value: 'N',
      description: 'accounts a day that all together can ask for with --signup',
      default: '500',
    },
    ...originOptions,
    'admin-port': {
      value: 'N',
      description: 'port of a separate listener for /livez, /readyz and /metrics; 0 for any free one',
    },
    'admin-token': {
      value: 'TOKEN',
      description:
        'turn on the admin API on the admin listener, for this bearer token; safer in the environment',
    },
    'admin-host': { value: 'H', description: 'address of the admin listener', default: '127.0.0.1' },
    'access-log': {
      value: 'FILE',
      description: 'log each request as a line of JSON to this file, or - for standard output',
    },
    'data-cache': {
      value: 'DIR',
      description: 'with --data over HTTP: where to cache the files that a start reads',
      default: 'var/origin',
    },
    'data-interval': {
      value: 'SECONDS',
      description: 'with --data over HTTP: how often to check for a new release',
      default: '10',
    },
    site: {
      value: 'URL',
      description: 'a server that has the site, in place of the site in the tree',
    },
    'log-level': {
      value: 'LEVEL',
      description: 'fatal, error, warn, info, debug or silent',
      default: 'info',
    },
  },
  run: serve,
}
