import { describe, expect, test } from 'vitest';
import { adviceFor } from './advice.ts';

describe('advice by the words of a failure', () => {
  test.each([
    [
      'execute fop cmd failed: 1: Invalid data found when processing input',
      '[mov] moov atom not found',
      'broken',
    ],
    ['execute fop cmd failed: the source ends after 5.97 of 10.00 s', undefined, 'broken'],
    [
      'execute fop cmd failed: the image cannot be read: it is HEIC (HEVC), which this server cannot decode',
      'bad seek to 172597',
      'codec',
    ],
    [
      'execute fop cmd failed: the video is rotated by 90 degrees, which ts cannot say: encode it',
      undefined,
      'format',
    ],
    ['execute fop cmd failed: the source has no video', undefined, 'stream'],
    ['there is no object of yours at https://a.example/b', undefined, 'missing'],
    ['a source answered 403', undefined, 'refused'],
    ['a source answered 503', undefined, 'unreachable'],
    ['the offset is beyond the end of the video', undefined, 'offset'],
    ['it took too much processor time', 'Invalid data found', 'slow'],
    ['cancelled', undefined, 'cancelled'],
    ['given up: 5 workers died while running it', undefined, 'crashed'],
    ['no space left', 'av_interleaved_write_frame(): No space left on device', 'machine'],
    ['something new', 'nobody knows', 'unknown'],
  ])('%s', (error, words, advice) => {
    expect(adviceFor({ error, ...(words === undefined ? {} : { words }) })).toBe(advice);
  });
});
