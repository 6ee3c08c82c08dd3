import { expect, test } from 'vitest';
import { download, newBucket, stat, upload } from './support/target.ts';

test('an uploaded file is there for stat and download', async () => {
  const bucket = await newBucket();
  const answer = await upload({ scope: bucket }, 'hello world', { key: 'greeting.txt' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ hash: 'FiqubDXJT8-0FdvpX0CLnOke6Ebt', key: 'greeting.txt' });
  expect(await (await stat(bucket, 'greeting.txt')).json()).toMatchObject({
    fsize: 11,
    hash: 'FiqubDXJT8-0FdvpX0CLnOke6Ebt',
  });
  expect(await (await download(bucket, 'greeting.txt')).text()).toBe('hello world');
});
