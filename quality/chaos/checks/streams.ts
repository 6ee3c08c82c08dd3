/** What a receiver was told about streams, compared with the truth. */
import type { Findings } from '../report.ts';
import type { Arrival } from './events.ts';

export interface StreamTruth {
  readonly streamId: string;
  readonly isPublishing: boolean;
  /** How often a publisher was accepted. */
  readonly times: number;
}

interface StreamEvent {
  readonly streamId: string;
  readonly streamState: number;
  readonly reqId: string;
}

export interface StreamTold {
  readonly sequence: number;
  readonly state: number;
}

/** For each stream in the order of its numbers, each once. */
function toldOf(arrivals: readonly Arrival[]): Map<string, StreamTold[]> {
  const byStream = new Map<string, Map<string, StreamTold>>();
  for (const { body, sequence } of arrivals) {
    const event = JSON.parse(body) as StreamEvent;
    const told = byStream.get(event.streamId) ?? new Map<string, StreamTold>();
    told.set(event.reqId, { sequence, state: event.streamState });
    byStream.set(event.streamId, told);
  }
  return new Map(
    [...byStream].map(([stream, told]) => [
      stream,
      [...told.values()].toSorted((one, other) => one.sequence - other.sequence),
    ]),
  );
}

/** Whether the last report about each stream is true. */
export function isTrue(truth: readonly StreamTruth[], arrivals: readonly Arrival[]): boolean {
  const told = toldOf(arrivals);
  return truth.every((stream) => lastOf(told, stream) === stream.isPublishing);
}

/** `lost`: numbers that never came. `wrong`: an order that does not alternate, or a final state that is not true. */
export function checkStreams(
  truth: readonly StreamTruth[],
  arrivals: readonly Arrival[],
  findings: Findings,
): void {
  const told = toldOf(arrivals);
  for (const stream of truth) {
    const { streamId, isPublishing } = stream;
    for (const [index, event] of (told.get(streamId) ?? []).entries()) {
      if (event.sequence !== index + 1) findings.add('lost', `${streamId}: event ${index + 1} never arrived`);
      if (event.state !== (index % 2 === 0 ? 1 : 0))
        findings.add('wrong', `${streamId}: event ${index + 1} is ${event.state}, like the one before`);
    }
    if (lastOf(told, stream) !== isPublishing)
      findings.add(
        'wrong',
        `${streamId} is ${isPublishing ? 'online' : 'offline'}, but the last event said otherwise`,
      );
  }
}

function lastOf(told: ReadonlyMap<string, readonly StreamTold[]>, { streamId }: StreamTruth): boolean {
  return told.get(streamId)?.at(-1)?.state === 1;
}
