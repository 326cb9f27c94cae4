import { operations, type Operation } from '#contract/operations.ts'
import { targetOf } from './target-of.ts'
import type { SampleService } from './sample-service.ts'
import type { Recording } from './site-input.ts'

/**
 * Has the service refuse requests in every way that a client can bring about, and keeps the
 * answers.
 */
export async function recordRefusals(service: SampleService): Promise<Recording[]> {
  const refusals: Recording[] = []
  const keep = async (operation: Operation, parameters: Record<string, string>, account: string | null) => {
    const target = targetOf(operation.id, parameters)
    const answer = await service.get(target, account)
    if (answer.status >= 400)
      refusals.push({ operation: operation.id, title: 'A refusal', parameters, target, ...answer })
  }
  for (const operation of operations) {
    const account = operation.access === 'key' ? `refused-${operation.id}` : null
    await keep(operation, unknownResource(operation), account)
    await keep(operation, { ...unknownResource(operation), ...invalidValue(operation) }, account)
    if (account !== null) await keep(operation, unknownResource(operation), null)
  }
  const [feed] = operations
  await keepFirst(refusals, service, feed!, { limit: '5' }, 'spends-quota')
  await keepFirst(refusals, service, feed!, { limit: '500' }, 'spends-window')
  await keepRefused(refusals, service, feed!, { seed: 'x'.repeat(9000) })
  await keepRefused(refusals, service, feed!, {}, { method: 'POST' })
  return refusals
}

/** The parameters of something that is not there. */
function unknownResource({ pathParameters, queryParameters }: Operation): Record<string, string> {
  const values: Record<string, string> = {}
  if ('clipId' in pathParameters) values.clipId = 'nosuchvideo'
  if ('word' in pathParameters) values.word = 'nosuchword'
  if ('since' in queryParameters) values.since = '000000-00000000'
  return values
}

/** One parameter that the operation refuses. */
function invalidValue({ queryParameters }: Operation): Record<string, string> {
  if ('limit' in queryParameters) return { limit: '500' }
  return 'gloss' in queryParameters ? { gloss: 'xx' } : { colour: 'red' }
}

/**
 * Repeats a request until the service answers 429: that takes 21 look-ups, or 61 requests in a
 * minute.
 */
async function keepFirst(
  refusals: Recording[],
  service: SampleService,
  operation: Operation,
  parameters: Record<string, string>,
  account: string,
): Promise<void> {
  const target = targetOf(operation.id, parameters)
  for (let asked = 0; asked < 130; asked++) {
    const answer = await service.get(target, account)
    if (answer.status !== 429) continue
    refusals.push({ operation: operation.id, title: 'A refusal', parameters, target, ...answer })
    return
  }
}

async function keepRefused(
  refusals: Recording[],
  service: SampleService,
  operation: Operation,
  parameters: Record<string, string>,
  request: { method?: string } = {},
): Promise<void> {
  const target = targetOf(operation.id, parameters)
  const answer = await service.get(target, 'refused', request)
  refusals.push({
    operation: operation.id,
    title: 'A refusal',
    parameters: {},
    target: '/v1/feed',
    ...answer,
  })
}
