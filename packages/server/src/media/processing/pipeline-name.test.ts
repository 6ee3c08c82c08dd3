import { describe, expect, test } from 'vitest';
import { ownPipeline, parseQueue, printQueue } from './pipeline-name.ts';

describe('the queue of an account', () => {
  test.each([
    [undefined, undefined],
    ['0.default', undefined],
    ['fast', 'fast'],
    ['7.fast', 'fast'],
    ['7.default', 'default'],
    ['default', 'default'],
    // No pipeline can have these names.
    ['8.fast', '8.fast'],
    ['0.fast', '0.fast'],
    ['07.fast', '07.fast'],
    ['7.', '7.'],
    ['7.a.b', 'a.b'],
    ['70.fast', '70.fast'],
    ['99999999999999999999.fast', '99999999999999999999.fast'],
  ])('named %j is %j', (text, pipeline) => {
    expect(ownPipeline(7n, text)).toBe(pipeline);
  });

  test('is named by what the record prints', () => {
    for (const pipeline of [null, 'fast', 'default', '0'])
      expect(ownPipeline(7n, printQueue(7n, pipeline)) ?? null).toBe(pipeline);
    expect(parseQueue(printQueue(8n, 'fast'))).toEqual({ uid: 8n, pipeline: 'fast' });
  });
});
