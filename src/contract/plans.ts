import { z } from 'zod'

const planSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'must be 1 to 64 of a-z, 0-9, _ and -, beginning with a letter or digit',
    ),
  /** Look-ups a billing period, counted per account; null where the plan is uncapped. */
  perPeriod: z.int().min(0).nullable(),
  /** Requests a minute, counted per key. */
  perMinute: z.int().min(1),
})
/** What an account may spend. */
export type Plan = z.infer<typeof planSchema>

/**
 * The plans in force unless `--plans` names others. Trial is the published one. The numbers of
 * Starter and Growth are not published: these are placeholders, the operator's to set.
 */
export const defaultPlans: readonly Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'starter', perPeriod: 10_000, perMinute: 120 },
  { name: 'growth', perPeriod: 100_000, perMinute: 600 },
]

/**
 * Parses the text of a plans file: a JSON array of plans that holds `trial` with 20 a period and 60
 * a minute, each name once.
 *
 * @throws {SyntaxError} what is wrong and at which entry
 */
export function parsePlans(text: string, path: string): Plan[] {
  const fault = (reason: string) => new SyntaxError(`cannot read plans from "${path}": ${reason}`)
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw fault(`not JSON (${(error as Error).message})`)
  }
  const { data: plans, error } = z.array(planSchema).safeParse(value)
  if (error) {
    const { path: keys, message } = error.issues[0]!
    throw fault(`${keys.join('.') || 'the file'}: ${message}`)
  }
  const names = plans.map((plan) => plan.name)
  const double = names.find((name, i) => names.indexOf(name) !== i)
  if (double !== undefined) throw fault(`plan "${double}" appears twice`)
  const trial = plans.find((plan) => plan.name === 'trial')
  if (trial?.perPeriod !== 20 || trial.perMinute !== 60)
    throw fault('it must contain {"name":"trial","perPeriod":20,"perMinute":60}')
  return plans
}
