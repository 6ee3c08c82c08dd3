import { counter, type Metric } from '@millpond/base';
import type { Recorder } from './recorder.ts';

export function requestMetrics(recorder: Recorder): Metric[] {
  return [
    counter(
      { name: 'millpond_traces_written_total', help: 'Traces of requests that this process has written' },
      () => recorder.written,
    ),
    counter(
      {
        name: 'millpond_traces_dropped_total',
        help: 'Traces of requests that this process has not written because there were too many, or the database was away',
      },
      () => recorder.dropped,
    ),
  ];
}
