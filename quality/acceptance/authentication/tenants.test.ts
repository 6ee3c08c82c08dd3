import { expect, test } from 'vitest';
import { statTarget, store } from '../support/objects/objects.ts';
import type { RawResponse } from '../support/raw.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

/** All of an answer that may be compared: what differs from one request to the next is left out. */
function comparable(answer: RawResponse): unknown {
  const headers = answer.headers.filter(([name]) => name !== 'x-reqid' && name !== 'date');
  return { status: answer.status, headers, body: answer.text() };
}

test("another account's bucket answers like one that is not there [tenant-01 G47]", async () => {
  const object = await store('a.txt', 'mine');
  const missing = `${object.bucket.slice(0, -2)}zz`;
  const stranger = { keys: target.stranger };
  for (const operation of ['stat', 'delete']) {
    const path = (bucket: string, key: string) => statTarget(bucket, key).replace('stat', operation);
    const notThere = await sendSigned({ target: path(missing, 'a.txt') }, stranger);
    expect(notThere.status).toBe(631);
    expect(notThere.json()).toEqual({ error: 'no such bucket' });
    for (const key of ['a.txt', 'b.txt']) {
      const notYours = await sendSigned({ target: path(object.bucket, key) }, stranger);
      expect(comparable(notYours)).toEqual(comparable(notThere));
    }
  }
  expect((await sendSigned({ target: object.stat })).status).toBe(200);
});
