import type { KeyPage } from '#contract/rendered-pages.ts'
import type { Usage } from '#contract/usage.ts'
import type { FormAnswer } from './forms.ts'

/** What the holder of a key can do without the operator. Both throw {StoreUnavailable}. */
export interface KeyHolder {
  /** Null if the key is not in force. */
  usage(key: string): Promise<Usage | null>
  /** False if the key is not in force. */
  disable(key: string): Promise<boolean>
}

/** Shows what the account of a key has used, or disables the key. */
export async function takeKeyForm(form: URLSearchParams, holder: KeyHolder): Promise<FormAnswer<KeyPage>> {
  const key = (form.get('key') ?? '').trim()
  if (form.get('action') === 'disable') {
    if (form.get('confirm') !== 'yes')
      return { status: 400, page: { fault: 'Tick the box to confirm that you want to disable the key.' } }
    if (await holder.disable(key)) return { status: 200, page: { isDisabled: true } }
  } else {
    const usage = await holder.usage(key)
    if (usage) return { status: 200, page: { usage } }
  }
  return { status: 401, page: { fault: 'This key does not work: it is unknown, expired or disabled.' } }
}
