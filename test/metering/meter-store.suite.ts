import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import { openStore } from '#metering/open-store.ts'
import { keyDigest, type RandomBytes } from '#metering/key.ts'
import { StoreUnavailable, type Decision, type MeterStore, type NewKey, type Receipt, type Subject } from '#metering/store.ts'
import { countStep, modelStore, type Step } from './meter-model.ts'

export const plans: readonly Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'small', perPeriod: 3, perMinute: 2 },
  { name: 'hundred', perPeriod: 100, perMinute: 100 },
  { name: 'roomy', perPeriod: 1_000_000, perMinute: 1_000_000 },
  { name: 'open', perPeriod: null, perMinute: 5 },
]
