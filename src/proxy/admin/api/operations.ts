import { z } from 'zod'
import { usageSchema } from '#contract/usage.ts'
import * as accounts from '#metering/administer.ts'
import { parseDuration } from '#metering/duration.ts'
import { parseMonth, usage, usageByKey, usageOfAll } from '#metering/usage.ts'
import { pathPattern } from '../../http/match.ts'

/** One row of the table that the router and the OpenAPI document are made of. */
interface Row<Body extends z.ZodType, Query extends z.ZodObject> {
  summary: string
  body?: Body
  query?: Query
  record: z.ZodType
  /** 200 unless given. */
  status?: number
  /** `name` is the part of the path that is named, decoded: a key id or the name of an account. */
  run(
    context: accounts.AdminContext,
    call: { name: string; body: z.infer<Body>; query: z.infer<Query> },
  ): unknown
}

export interface AdminOperation extends Row<z.ZodType, z.ZodObject> {
  method: string
  /** Below `/admin/v1`; one part may be in braces. */
  path: string
  pattern: RegExp
}

/** A row whose `run` knows the types of its body and its query. */
function operation<Body extends z.ZodType, Query extends z.ZodObject>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  row: Row<Body, Query>,
): AdminOperation {
  return { method, path, pattern: pathPattern(path), ...row }
}

const date = z.iso.datetime()
const account = z.strictObject({ account: z.string(), plan: z.string(), createdAt: date })
const key = z.strictObject({
  keyId: z.string(),
  account: z.string(),
  plan: z.string(),
  prefix: z.string(),
  last4: z.string(),
  enabled: z.boolean(),
  createdAt: date,
  expiresAt: date.nullable(),
})
const text = z.string().min(1)
const textOrNull = z.string().nullable()
const newKey = z.strictObject({
  account: text,
  plan: text.optional(),
  name: text.optional(),
  note: text.optional(),
})
const rotation = z.strictObject({
  overlap: z.string().default('0').meta({ description: 'How long the old key stays valid: 90s, 24h, 7d.' }),
})
const newPlan = z.strictObject({
  plan: text,
  confirm: z
    .boolean()
    .default(false)
    .meta({ description: 'Required for an account that was created by sign-up.' }),
})
const purge = z.strictObject({
  confirm: text.meta({ description: 'The name of the account again, to confirm the purge.' }),
})
const newName = z.strictObject({ name: text })
const period = z.strictObject({
  period: z
    .string()
    .transform(parseMonth)
    .optional()
    .meta({ description: 'A month, YYYY-MM: the period that began in it. By default, the current period.' }),
})
const accountUsage = usageSchema.extend({ account: z.string() })

export const adminOperations: readonly AdminOperation[] = [
  operation('GET', '/keys', {
    summary: 'Every key, in the order of creation.',
    record: z.array(key.extend({ name: textOrNull, note: textOrNull, lastUsed: textOrNull })),
    run: accounts.listKeyDetails,
  }),
  operation('POST', '/keys', {
    summary: 'Creates a key, and its account if it is new. The key is shown only once.',
    body: newKey,
    record: z.strictObject({
      account: z.string(),
      plan: z.string(),
      keyId: z.string(),
      key: z.string(),
      notes: z.array(z.string()).meta({
        description: 'Whether the account was created by sign-up, with its keys; empty if it was not.',
      }),
    }),
    status: 201,
    run: async (context, { body }) => ({
      ...(await accounts.createKey(context, body)),
      notes: await accounts.signUpNotes(context, [body.account]),
    }),
  }),
  operation('POST', '/keys/{keyId}/disable', {
    summary: 'Disables a key, from its next request on.',
    record: key,
    run: (context, { name }) => accounts.setKeyEnabled(context, name, false),
  }),
  operation('POST', '/keys/{keyId}/enable', {
    summary: 'Enables a disabled key.',
    record: key,
    run: (context, { name }) => accounts.setKeyEnabled(context, name, true),
  }),
  operation('POST', '/keys/{keyId}/rotate', {
    summary: 'Replaces a key, which expires, with a new one. The new key is shown only once.',
    body: rotation,
    record: key.extend({ key: z.string() }),
    status: 201,
    run: (context, { name, body }) => accounts.rotateKey(context, name, parseDuration(body.overlap)),
  }),
  operation('GET', '/accounts', {
    summary: 'Every account, in the order of creation.',
    record: z.array(account.extend({ bySignUp: z.boolean() })),
    run: accounts.listAccountDetails,
  }),
  operation('PUT', '/accounts/{account}/plan', {
    summary: 'Moves an account to another plan, from its next request on.',
    body: newPlan,
    record: account,
    async run(context, { name, body }) {
      const notes = await accounts.signUpNotes(context, [name])
      if (notes.length > 0 && !body.confirm) throw new Error(`${notes[0]}. To confirm, send "confirm": true`)
      return await accounts.setPlan(context, name, body.plan)
    },
  }),
  operation('POST', '/accounts/{account}/rename', {
    summary: 'Renames an account, which keeps its keys and counts.',
    body: newName,
    record: account,
    run: (context, { name, body }) => accounts.renameAccount(context, name, body.name),
  }),
  operation('DELETE', '/accounts/{account}', {
    summary: 'Deletes an account and its keys. Its billing periods are kept.',
    record: account,
    run: (context, { name }) => accounts.deleteAccount(context, name),
  }),
  operation('POST', '/accounts/{account}/purge', {
    summary: 'Deletes everything stored under an account name, including billing periods.',
    body: purge,
    record: account,
    async run(context, { name, body }) {
      if (body.confirm !== name)
        throw new Error(`"confirm" must be the name of the account, "${name}", but it is "${body.confirm}"`)
      return await accounts.purgeAccount(context, name)
    },
  }),
  operation('GET', '/accounts/{account}/usage', {
    summary: 'The usage of an account in a billing period.',
    query: period,
    record: usageSchema,
    run: (context, { name, query }) => usage(context, name, query.period),
  }),
  operation('GET', '/accounts/{account}/usage-by-key', {
    summary: 'The look-ups of each key of an account in a billing period.',
    query: period,
    record: z.array(z.strictObject({ keyId: z.string(), name: textOrNull, requests: z.int() })),
    run: (context, { name, query }) => usageByKey(context, name, query.period),
  }),
  operation('GET', '/usage', {
    summary: 'The usage of every account in a billing period.',
    query: period,
    record: z.array(accountUsage),
    run: (context, { query }) => usageOfAll(context, query.period),
  }),
  operation('GET', '/changes', {
    summary: 'The changes made by commands and this API, oldest first.',
    record: z.array(
      z.strictObject({ at: date, actor: z.string(), action: z.string(), details: z.looseObject({}) }),
    ),
    run: accounts.listChanges,
  }),
]
