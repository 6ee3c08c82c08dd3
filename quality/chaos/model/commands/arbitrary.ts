/** What commands are drawn from: few places, so that they meet, and few descriptions. */
import fc from 'fast-check';
import { BUCKETS, type ObjectRef } from '../state.ts';

const KEYS = ['a', 'a/b', 'é'] as const;

export const key = fc.constantFrom(...KEYS);
/** The last bucket is seldom there. */
export const bucket = fc.oneof(
  { weight: 24, arbitrary: fc.constant(0) },
  { weight: 5, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(BUCKETS - 1) },
);
export const place: fc.Arbitrary<ObjectRef> = fc.record({ bucket, key });

export const mimeType = fc.constantFrom('text/x-a', 'text/x-b');
export const caching = fc.constantFrom('', 'no-cache', 'max-age=60');
export const meta = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ one: fc.constantFrom('1', '2') }) },
  { weight: 1, arbitrary: fc.constant({ two: 'x y' }) },
);
/** Mostly what can be read at once. */
export const type = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(2) },
  { weight: 1, arbitrary: fc.constant(3) },
);
export const range = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('bytes=0-0', 'bytes=5-700', 'bytes=-3', 'bytes=1000-') },
);

/** Mostly false. */
export const seldom = fc.oneof(
  { weight: 9, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

export function placeWords({ bucket, key }: ObjectRef): string {
  return `${bucket}:${key}`;
}
