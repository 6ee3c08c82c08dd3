/** Prometheus metrics of the process and its requests. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  observeRequest(route: string, status: number, seconds: number): void;
  /** A figure read when the metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void;
  /** Seconds that something took, by labels. */
  timer<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (values: Readonly<Record<Label, string>>, seconds: number) => void;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'millpond_request_seconds',
    help: 'Time from a request’s first byte to its answer’s last',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    observeRequest: (route, status, seconds) => requests.observe({ route, status: String(status) }, seconds),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    timer(name, help, labels) {
      const timer = new Histogram({
        name,
        help,
        labelNames: labels,
        buckets: BUCKETS,
        registers: [registry],
      });
      return (values, seconds) => timer.observe(values, seconds);
    },
  };
}
