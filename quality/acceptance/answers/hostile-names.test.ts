/** Names and values that try to be more than values, in every body that they can get into. */
import { describe, expect, test } from 'vitest';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, upload } from '../support/target.ts';

const receiver = useReceiver();
const NAMES = [
  'a&admin=1',
  '","role":"root',
  '"}{"a":"',
  'a=b;c=d%26e%3Df',
  '+ %20 %00',
  'a\\b',
  '\\u0022,"x":1',
  `$(etag)\${key}`,
  '</script><script>',
  'emoji 🦆 é e\u0301',
  "'; DROP TABLE objects; --",
  'a|saveas/x;vframe/jpg',
  '\u2028\u2029',
];

describe.each(NAMES)('a file called %j', (fileName) => {
  // Clients write a quote in a file name as %22; a custom variable carries everything as it is.
  const seenName = fileName.replaceAll('"', '%22');
  const form = { key: 'k', fileName, fields: { 'x:v': fileName } };

  test('stays one value in a form body [G9 var-rule-04]', async () => {
    const endpoint = receiver.at(json({}));
    const policy = {
      scope: await newBucket(),
      callbackUrl: endpoint.url,
      callbackBody: 'n=$(fname)&v=$(x:v)&h=1',
    };
    expect((await upload(policy, 'content', form)).status).toBe(200);
    const { text } = endpoint.only;
    expect([...new URLSearchParams(text)].slice(1)).toEqual([
      ['v', fileName],
      ['h', '1'],
    ]);
    expect([seenName, fileName]).toContain(new URLSearchParams(text).get('n'));
    expect(text).toMatch(/^n=[\w.~%+-]*&v=[\w.~%+-]*&h=1$/);
  });

  test('stays one value in a JSON body, bare and in quotes [G9 var-rule-03]', async () => {
    const endpoint = receiver.at(json({}));
    const callbackBody = '{"n":$(fname),"q":"<$(x:v)>","v":$(x:v),"role":"none"}';
    const bucket = await newBucket();
    const policy = {
      scope: bucket,
      callbackUrl: endpoint.url,
      callbackBody,
      callbackBodyType: 'application/json',
    };
    expect((await upload(policy, 'content', form)).status).toBe(200);
    const expected = { n: expect.any(String), q: `<${fileName}>`, v: fileName, role: 'none' };
    const sent = JSON.parse(endpoint.only.text) as { n: string };
    expect(sent).toEqual(expected);
    expect([seenName, fileName]).toContain(sent.n);

    const answer = await upload({ scope: bucket, returnBody: callbackBody }, 'content', form);
    expect([answer.status, await answer.json()]).toEqual([200, expected]);
  });
});
