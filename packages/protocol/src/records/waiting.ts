import { integer, oneOf, record, text, time, withDescription } from './schema.ts';

/** Why something waits, for everything that can: the reason for programs, the same in words for people. */
export const waitingRecords = {
  WaitingFor: record({
    reason: oneOf(
      ['worker', 'turn', 'idle', 'share', 'pipeline', 'sameWork', 'retry', 'time', 'order', 'receiver'],
      '`worker`: one that can do it; `turn`: in its queue; `idle`: until nothing else waits; `share`: the account has as many as it may; ' +
        '`pipeline`: room in it; `sameWork`: another task that does the same; `retry`: the next try; `time`: a restore takes that long; ' +
        '`order`: an earlier delivery; `receiver`: it is away, suspended or busy',
    ),
    text: withDescription(text, 'the same in words'),
    'ahead?': withDescription(integer, 'how many are before it; 1,000 are counted'),
    'aheadOwn?': withDescription(integer, 'how many of these are of the same account'),
    'until?': withDescription(time, 'when it goes on'),
  }),
};

export const waitingFor: typeof waitingRecords.WaitingFor = { $ref: '#/components/schemas/WaitingFor' };
