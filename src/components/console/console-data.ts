import type { Recording } from '#site/site-input.ts'

/** What `/samples.json` holds: the console is drawn from it alone. */

/** How a parameter is filled in. */
export type Field =
  | { kind: 'choice'; choices: string[] }
  /** Several of the choices, comma-separated. */
  | { kind: 'choices'; choices: string[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'text'; maxLength?: number }

export interface ConsoleParameter {
  name: string
  isRequired: boolean
  description: string
  field: Field
  /** Shown while the field is empty. */
  example: string
}

export interface ConsoleOperation {
  id: string
  path: string
  summary: string
  isKeyed: boolean
  parameters: ConsoleParameter[]
}

export interface ConsoleData {
  operations: ConsoleOperation[]
  recordings: Recording[]
  /** What the service answers to wrong values. */
  refusals: Recording[]
}

/** A request as the form holds it. */
export interface ConsoleRequest {
  operation: ConsoleOperation
  parameters: Record<string, string>
}

/** What came of a request. A status of 0 stands for no answer at all. */
export interface ConsoleAnswer extends Pick<Recording, 'status' | 'headers' | 'body'> {
  /** Where the answer comes from, in a few words. */
  source: string
}
