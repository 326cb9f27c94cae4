import { byId } from '../cards/dom.ts'
import type { ConsoleData } from './console-data.ts'
import { Console } from './console.ts'

const response = await fetch('/samples.json')
new Console((await response.json()) as ConsoleData).start()
byId('console').dataset.ready = 'true'
