import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { bucketCall, bucketDo, bucketJson } from '../support/objects/buckets.ts';
import { newBucket } from '../support/target.ts';

const tagging = (bucket: string) => `/bucketTagging?bucket=${bucket}`;
const put = (bucket: string, body: string) => bucketCall(tagging(bucket), { method: 'PUT', body });

describe('tags of a bucket', () => {
  test('are stored, shown in their order, replaced and deleted [bucket-10]', async () => {
    const bucket = await newBucket();
    const shown = () => bucketJson(tagging(bucket), { method: 'GET' });
    expect(await shown()).toEqual({ Tags: [] });
    const Tags = [
      { Key: 'team', Value: 'media' },
      { Key: 'a ü 漢', Value: '' },
    ];
    await bucketDo(tagging(bucket), {
      method: 'PUT',
      body: JSON.stringify({ Tags }),
      contentType: 'application/json',
    });
    expect(await shown()).toEqual({ Tags });
    await bucketDo(tagging(bucket), { method: 'PUT', body: '{"Tags":[{"Key":"k","Value":"v"}]}' });
    expect(await shown()).toEqual({ Tags: [{ Key: 'k', Value: 'v' }] });
    await bucketDo(tagging(bucket), { method: 'DELETE' });
    expect(await shown()).toEqual({ Tags: [] });
  });

  test('that are not well formed answer 400 and change nothing [bucket-10]', async () => {
    const bucket = await newBucket();
    const Tags = [{ Key: 'k', Value: 'v' }];
    await bucketDo(tagging(bucket), { method: 'PUT', body: JSON.stringify({ Tags }) });
    const eleven = Array.from({ length: 11 }, (_, index) => ({ Key: `k${index}`, Value: '' }));
    const wrong = [
      '',
      '{',
      '[]',
      'null',
      '{"Tags":{}}',
      '{"Tags":[1]}',
      '{"Tags":[{"Key":"k"}]}',
      '{"Tags":[{"Key":"","Value":"v"}]}',
      '{"Tags":[{"Key":1,"Value":"v"}]}',
      '{"Tags":[{"Key":"a\\u0000","Value":"v"}]}',
      '{"Tags":[{"Key":"\\ud800","Value":"v"}]}',
      JSON.stringify({ Tags: [...Tags, ...Tags] }),
      JSON.stringify({ Tags: eleven }),
      JSON.stringify({ Tags: [{ Key: 'k'.repeat(65), Value: '' }] }),
      JSON.stringify({ Tags: [{ Key: 'k', Value: 'v'.repeat(129) }] }),
    ];
    for (const body of wrong) await expectRefusal(await put(bucket, body), 400, 'invalid argument');
    expect(await bucketJson(tagging(bucket), { method: 'GET' })).toEqual({ Tags });
  });
});
