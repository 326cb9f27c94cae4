import type { MetricObject } from 'prom-client'
import type { Readiness } from './readiness.ts'

/** The status of one process. It is sent between processes as JSON. */
export interface ProcessStatus {
  readiness: Readiness
  metrics: MetricObject[]
}
