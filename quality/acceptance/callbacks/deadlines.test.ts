/** Receivers that never come to an end: each is given up in its time, and leaves nothing behind in the server. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { uploadForm, uploadToken } from '@millpond/testing';
import { expect, test } from 'vitest';
import { failureOf } from '../support/receivers/callbacks.ts';
import {
  drip,
  flood,
  hang,
  json,
  redirect,
  reply,
  reset,
  type Script,
  useReceiver,
} from '../support/receivers/receiver.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { newBucket, stat, target } from '../support/target.ts';

const receiver = useReceiver({ keepAliveMs: 1000 });
const GIBIBYTE = 1024 ** 3;
const MEBIBYTE = 1024 ** 2;

/** What a process holds: resident memory, and sockets. */
async function holdingsOf(pid: number): Promise<{ memory: number; sockets: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return {
    memory: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024,
    sockets: links.filter((link) => link.startsWith('socket:')).length,
  };
}

test('a receiver that hangs, drips, pours, resets or answers wrongly is given up within its time, and nothing is left [callback-rule-08 G3 outbound-13 outbound-14]', async () => {
  const server = await startExtraGateway();
  const bucket = await newBucket();
  const send = async (urls: readonly string[], key: string) => {
    const policy = { scope: bucket, callbackUrl: urls.join(';'), callbackBody: 'k=$(key)' };
    const begun = performance.now();
    const answer = await uploadForm(server.url, 'content', {
      token: uploadToken(target.account, policy),
      key,
    });
    return { answer, seconds: (performance.now() - begun) / 1000 };
  };
  // The first uploads fill pools and caches; what grows after them is a leak.
  const warm = Array.from({ length: 12 }, () => send([receiver.at(json({})).url], 'warm'));
  for (const { answer } of await Promise.all(warm)) expect(answer.status).toBe(200);
  await expect.poll(() => receiver.open).toBe(0);
  const before = await holdingsOf(server.pid);

  const [poured, announced] = [flood(GIBIBYTE, false), flood(GIBIBYTE, true)];
  const quick: [string, Script][] = [
    ['poured', poured.script],
    ['announced', announced.script],
    ['reset', reset],
  ];
  const slow: [string, Script][] = [
    ['hang', hang],
    ['drip', drip],
  ];
  const failures = [...quick, ...slow].map(async ([key, script]) => {
    const { answer, seconds } = await send([receiver.at(script).url], key);
    expect(await failureOf(answer)).toMatchObject({ err_code: 0, key });
    return [key, seconds] as const;
  });
  const wrong: [string, Script, number][] = [
    ['html', reply(200, '<html>ok</html>', 'text/html'), 200],
    ['half', reply(200, '{"half":'), 200],
    ['moved', redirect(receiver.at(json({})).url), 302],
  ];
  for (const [key, script, err_code] of wrong) {
    const { answer } = await send([receiver.at(script).url], key);
    expect(await failureOf(answer)).toMatchObject({ err_code, key });
  }
  const four = [hang, drip, hang, hang].map((script) => receiver.at(script));
  const all = send(
    four.map(({ url }) => url),
    'four',
  );
  // A healthy receiver is not held up by the others.
  let areAllOver = false;
  void all.then(() => {
    areAllOver = true;
  });
  const healthy = await send([receiver.at(json({})).url], 'healthy');
  expect([healthy.answer.status, areAllOver]).toEqual([200, false]);

  const seconds = Object.fromEntries(await Promise.all(failures));
  for (const [key] of slow) expect(seconds[key], key).toBeGreaterThan(9.5);
  const { answer, seconds: total } = await all;
  expect(await failureOf(answer)).toMatchObject({ err_code: 0, callback_url: four[2]?.url });
  // The three of them had 30 s, so that nothing was left for the fourth.
  expect(total).toBeGreaterThan(29);
  expect(four.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 0]);

  expect(poured.poured).toBeLessThan(64 * MEBIBYTE);
  expect(announced.poured).toBeLessThan(64 * MEBIBYTE);
  for (const key of ['hang', 'four', 'poured']) expect((await stat(bucket, key)).status).toBe(200);
  await expect.poll(() => receiver.open).toBe(0);
  await expect
    .poll(async () => (await holdingsOf(server.pid)).sockets)
    .toBeLessThanOrEqual(before.sockets + 4);
  expect((await holdingsOf(server.pid)).memory - before.memory).toBeLessThan(100 * MEBIBYTE);
});
