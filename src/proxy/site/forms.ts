import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { KeyPage, SignUpPage } from '#contract/rendered-pages.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { disableOwnKey } from '#metering/administer.ts'
import { usageOfKey } from '#metering/usage.ts'
import type { SignUpOutcome } from '#metering/sign-up.ts'
import { brokenBody, describeFault, type ParseError } from '../http/parse-error.ts'

const maxFormBytes = 16 * 1024
const maxNameLength = 64

/** The content of the page that answers a form, and how it is sent. */
export interface FormAnswer<Page> {
  status: number
  page: Page
  retryAfterS?: number
  /** The rest of the request is not read, so the connection must be closed. */
  isLast?: boolean
}

/** Returns a page that reports the fault of a form, as a sentence. */
function refusal(status: number, fault: string, more: { retryAfterS?: number; isLast?: boolean } = {}) {
  return { status, page: { fault }, ...more }
}

/** The response to an incomplete form. */
const unreadable = refusal(400, 'The form could not be read. Fill it in again.')

/** Reads a form as browsers send it, unless another site sent it. */
export async function readForm(
  req: IncomingMessage,
): Promise<URLSearchParams | FormAnswer<{ fault: string }>> {
  const { headers } = req
  if (isCrossOrigin(headers))
    return refusal(403, 'The form was sent from another site. Fill it in here instead.')
  // The length must be known before reading (RFC 9110 section 15.5.12).
  if (headers['transfer-encoding'] !== undefined)
    return refusal(411, 'The form must have a Content-Length.', { isLast: true })
  if (Number(headers['content-length'] ?? 0) > maxFormBytes)
    return refusal(413, 'The form is too large.', { isLast: true })
  try {
    // A body that does not arrive completely, or in time.
    const bodyFailure = once(req, brokenBody).then(([error]) => Promise.reject(error as ParseError))
    const body = await Promise.race([text(req), bodyFailure])
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')
    return isForm ? new URLSearchParams(body) : unreadable
  } catch (error) {
    return { ...unreadable, status: describeFault(error as ParseError)?.status ?? 400, isLast: true }
  }
}

/**
 * Whether a browser sent this request for a page of another origin. Every browser since 2023 sends
 * `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/); for older ones `Origin` is compared
 * with `Host`. A client that sends neither is not a browser, so no other page can use it.
 */
function isCrossOrigin({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

/** Creates an account with a trial key for a client address. */
export type MakeAccount = (account: string, address: string) => Promise<SignUpOutcome>

/** Creates the account that a sign-up form asks for. @throws {StoreUnavailable} */
export async function takeSignUp(
  form: URLSearchParams,
  makeAccount: MakeAccount,
  address: string,
): Promise<FormAnswer<SignUpPage>> {
  const name = form.get('account')
  if (name === null) return unreadable
  if (name.trim() === '') return refusal(400, 'Enter an account name.')
  const isLong = [...name].length > maxNameLength
  const outcome: SignUpOutcome = isLong ? { outcome: 'bad_name' } : await makeAccount(name, address)
  if (outcome.outcome === 'created') {
    const { account, key } = outcome.createdKey
    return { status: 200, page: { newKey: { account, key } } }
  }
  if (outcome.outcome === 'bad_name')
    return refusal(
      400,
      `Use 1 to ${maxNameLength} visible characters, and do not begin the name with "clk_".`,
    )
  if (outcome.outcome === 'taken') {
    const fault =
      'An account with this name already exists, and its key cannot be shown again. Choose another name.'
    // A name is shown only if it was taken. Such pages are as few as the sign-ups of a day, and
    // every other page is rendered only once.
    return { status: 409, page: { fault, name } }
  }
  const { isTotal, perDay, retryAfterS } = outcome
  const fault = isTotal
    ? 'No more accounts can be created today. Try again tomorrow.'
    : `Your network has reached the limit of ${perDay} sign-ups a day. Try again tomorrow.`
  return refusal(429, fault, { retryAfterS })
}

/**
 * Shows the usage of a key's account, or disables the key, for its owner.
 *
 * @throws {StoreUnavailable}
 */
export async function takeKeyForm(form: URLSearchParams, store: MeterStore): Promise<FormAnswer<KeyPage>> {
  const key = (form.get('key') ?? '').trim()
  if (form.get('action') === 'disable') {
    if (form.get('confirm') !== 'yes')
      return refusal(400, 'Tick the box to confirm that you want to disable the key.')
    if (await disableOwnKey(store, key)) return { status: 200, page: { isDisabled: true } }
  } else {
    const usage = await usageOfKey(store, key)
    if (usage) return { status: 200, page: { usage } }
  }
  return refusal(401, 'This key does not work: it is unknown, expired or disabled.')
}
