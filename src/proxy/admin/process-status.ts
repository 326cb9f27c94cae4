import type { MetricObject } from 'prom-client'
import type { Readiness } from './readiness.ts'

/** What one process tells of itself. It travels between processes as JSON. */
export interface ProcessStatus {
  readiness: Readiness
  metrics: MetricObject[]
}
