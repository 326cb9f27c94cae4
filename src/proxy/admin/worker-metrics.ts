import { AggregatorRegistry, type MetricObject } from 'prom-client'

/**
 * The metrics of all workers, with what those that have ended had counted: a total must not fall
 * when a worker is replaced. What a worker counted after it was last asked is lost with it.
 */
export class WorkerMetrics {
  readonly #last = new Map<number, MetricObject[]>()
  #ended: MetricObject[] = []

  report(worker: number, metrics: MetricObject[]): void {
    this.#last.set(worker, metrics)
  }

  end(worker: number): void {
    const counts = (this.#last.get(worker) ?? []).filter(({ type }) => String(type) !== 'gauge')
    this.#last.delete(worker)
    this.#ended = AggregatorRegistry.aggregate([this.#ended, counts]).getMetricsAsArray()
  }

  all(): MetricObject[][] {
    return [...this.#last.values(), this.#ended]
  }
}
