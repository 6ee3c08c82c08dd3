import { describe, expect, test } from 'vitest';
import { Findings } from '../report.ts';
import type { Arrival } from './events.ts';
import { checkStreams, isTrue } from './streams.ts';

function arrival(sequence: number, streamState: number, streamId = 'a'): Arrival {
  const reqId = `${streamId}-${sequence}`;
  return {
    id: reqId,
    entity: streamId,
    sequence,
    body: JSON.stringify({ streamId, streamState, reqId }),
    at: 0,
  };
}

function found(isPublishing: boolean, arrivals: readonly Arrival[]): Record<string, number> {
  const findings = new Findings();
  checkStreams([{ streamId: 'a', isPublishing, times: 1 }], arrivals, findings);
  return { lost: findings.count('lost'), wrong: findings.count('wrong') };
}

describe('what was told of a stream', () => {
  test('is good where it alternates and its end is so, whatever came twice or late', () => {
    const arrivals = [arrival(2, 0), arrival(1, 1), arrival(1, 1), arrival(3, 1)];
    expect(found(true, arrivals)).toEqual({ lost: 0, wrong: 0 });
    expect(isTrue([{ streamId: 'a', isPublishing: true, times: 2 }], arrivals)).toBe(true);
    expect(found(false, [])).toEqual({ lost: 0, wrong: 0 });
  });

  test('is wrong where the end is not so', () => {
    expect(found(false, [arrival(1, 1)])).toEqual({ lost: 0, wrong: 1 });
    expect(found(true, [])).toEqual({ lost: 0, wrong: 1 });
    expect(isTrue([{ streamId: 'a', isPublishing: true, times: 1 }], [])).toBe(false);
  });

  test('is wrong where it does not alternate, and lost where a number is missing', () => {
    expect(found(true, [arrival(1, 1), arrival(2, 1)])).toEqual({ lost: 0, wrong: 1 });
    expect(found(true, [arrival(1, 1), arrival(3, 1)])).toEqual({ lost: 1, wrong: 1 });
  });
});
