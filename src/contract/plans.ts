import { z } from 'zod'

const nameRule = 'must be 1 to 64 characters from a-z, 0-9, _ and -, beginning with a letter or digit'
const quotaRule = 'must be a whole number of at least 0, or null'
const rateRule = 'must be a whole number of at least 1'
const priceRule = 'must be a text of 1 to 100 characters'

const planSchema = z.strictObject(
  {
    name: z.string(nameRule).regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, nameRule),
    /** Look-ups per billing period and account; null if there is no quota. */
    perPeriod: z.int(quotaRule).min(0, quotaRule).nullable(),
    /** Requests per minute and key. */
    perMinute: z.int(rateRule).min(1, rateRule),
    /** The price as the site shows it, such as "€9 a month". */
    price: z.string(priceRule).trim().min(1, priceRule).max(100, priceRule).optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `has the unknown field "${issue.keys[0]}"` : 'must be an object',
  },
)
/** The limits of an account. */
export type Plan = z.infer<typeof planSchema>

/**
 * The plans that apply without `--plans`. Only the numbers of Trial are published; those of Starter
 * and Growth are placeholders that operators replace.
 */
export const defaultPlans: readonly Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'starter', perPeriod: 10_000, perMinute: 120 },
  { name: 'growth', perPeriod: 100_000, perMinute: 600 },
]

/**
 * Parses a plans file: a JSON array of plans with unique names. It must contain the plan `trial`,
 * with 20 look-ups per period and 60 requests per minute.
 *
 * @throws {SyntaxError} the message says what is wrong, and where
 */
export function parsePlans(text: string, path: string): Plan[] {
  const fault = (reason: string) => new SyntaxError(`cannot read plans from "${path}": ${reason}`)
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw fault(`it is not valid JSON: ${(error as Error).message}`)
  }
  const { data: plans, error } = z.array(planSchema).safeParse(value)
  if (error) {
    const { path: keys, message } = error.issues[0]!
    const [index, field] = keys
    if (index === undefined) throw fault('it must contain a JSON array of plans')
    throw fault(`plan ${Number(index) + 1}${field === undefined ? '' : `: ${String(field)}`} ${message}`)
  }
  const names = plans.map((plan) => plan.name)
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate !== undefined) throw fault(`plan "${duplicate}" appears twice`)
  const trial = plans.find((plan) => plan.name === 'trial')
  if (trial?.perPeriod !== 20 || trial.perMinute !== 60)
    throw fault('it must contain the plan {"name":"trial","perPeriod":20,"perMinute":60}')
  return plans
}
