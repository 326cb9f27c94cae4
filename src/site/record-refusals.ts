import { operations, type Operation } from '#contract/operations.ts'
import type { SampleService } from './sample-service.ts'
import type { RecordedAnswer } from './site-input.ts'

/**
 * Has the service refuse requests in every way that a client can bring about, and keeps the
 * answers.
 */
export async function recordRefusals(service: SampleService): Promise<RecordedAnswer[]> {
  const refusals: RecordedAnswer[] = []
  for (const operation of operations) {
    const { id, access } = operation
    const account = access === 'key' ? `refused-${id}` : null
    const unknown = unknownResource(operation)
    refusals.push(await service.ask(id, unknown, account))
    refusals.push(await service.ask(id, { ...unknown, ...invalidValue(operation) }, account))
    refusals.push(await service.ask(id, unknown, null))
  }
  const { id } = operations[0]!
  // Until the service answers 429: that takes 21 look-ups, or 61 requests in a minute.
  for (const [account, limit] of Object.entries({ 'spends-quota': '5', 'spends-window': '500' })) {
    let answer: RecordedAnswer
    do answer = await service.ask(id, { limit }, account)
    while (answer.status !== 429)
    refusals.push(answer)
  }
  refusals.push(await service.ask(id, { seed: 'x'.repeat(9000) }, 'refused'))
  refusals.push(await service.ask(id, {}, 'refused', 'POST'))
  return refusals.filter(({ status }) => status >= 400)
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
