import { basePath, operations, type Operation } from '#contract/operations.ts'
import { targetOf } from './target-of.ts'
import type { SampleAnswer, SampleService } from './sample-service.ts'
import type { Recording } from './site-input.ts'

/**
 * Has the service refuse requests in every way that a client can bring about, and keeps the
 * answers.
 */
export async function recordRefusals(service: SampleService): Promise<Recording[]> {
  const refusals: Recording[] = []
  const keep = (operation: Operation, parameters: Record<string, string>, answer: SampleAnswer) => {
    const target = targetOf(basePath + operation.path, parameters)
    refusals.push({ operation: operation.id, title: 'A refusal', parameters, target, ...answer })
  }
  for (const operation of operations) {
    const account = operation.access === 'key' ? `refused-${operation.id}` : null
    const unknown = unknownResource(operation)
    const ask = async (parameters: Record<string, string>, sender: string | null) => {
      const answer = await service.get(targetOf(basePath + operation.path, parameters), sender)
      if (answer.status >= 400) keep(operation, parameters, answer)
    }
    await ask(unknown, account)
    await ask({ ...unknown, ...invalidValue(operation) }, account)
    if (account !== null) await ask(unknown, null)
  }
  const feed = operations[0]!
  const feedPath = basePath + feed.path
  const spent = { 'spends-quota': { limit: '5' }, 'spends-window': { limit: '500' } }
  for (const [account, parameters] of Object.entries(spent)) {
    // Until the service answers 429: that takes 21 look-ups, or 61 requests in a minute.
    for (let asked = 0; asked < 130; asked++) {
      const answer = await service.get(targetOf(feedPath, parameters), account)
      if (answer.status !== 429) continue
      keep(feed, parameters, answer)
      break
    }
  }
  keep(feed, {}, await service.get(targetOf(feedPath, { seed: 'x'.repeat(9000) }), 'refused'))
  keep(feed, {}, await service.get(targetOf(feedPath, {}), 'refused', { method: 'POST' }))
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
