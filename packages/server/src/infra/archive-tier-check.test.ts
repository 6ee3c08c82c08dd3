import { expect, onTestFinished, test } from 'vitest';
import { openArchiveTierCheck } from './archive-tier-check.ts';

test('a fault is told once, counted while it lasts, kept while the engine is away, and gone when it is mended', async () => {
  const answers = ['no class', 'no class', new Error('away'), undefined];
  const seen: (string | undefined)[] = [];
  const said: unknown[][] = [];
  const mended = Promise.withResolvers<void>();
  const watch = openArchiveTierCheck(
    {
      blobs: {
        probeColdClass() {
          seen.push(watch.fault);
          if (seen.length > answers.length) mended.resolve();
          const answer = answers[seen.length - 1];
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
        },
      },
      log: {
        warn: (...words: unknown[]) => said.push(words),
        info: (...words: unknown[]) => said.push(words),
      },
    },
    { good: 1, bad: 1 },
  );
  onTestFinished(() => watch.close());
  watch.start();
  await mended.promise;
  expect(seen.slice(0, 5)).toEqual([undefined, 'no class', 'no class', 'no class', undefined]);
  expect(said).toEqual([
    [{ fault: 'no class' }, 'archive classes are off'],
    ['archive classes are on again'],
  ]);
});
