/** Metadata changes that race, at two gateways. */
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '../support/expectations.ts';
import { chgm, metaOf, shownBy } from '../support/objects/change-metadata.ts';
import { store } from '../support/objects/objects.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { newBucket, target, upload } from '../support/target.ts';

const RACERS = 64;

/** So many calls at the same time, in turn at both gateways. */
async function race(
  urls: readonly string[],
  call: (racer: number, url: string) => Promise<{ status: number }>,
) {
  return Promise.all(
    Array.from({ length: RACERS }, (_, racer) => call(racer, urls[racer % urls.length] ?? '')),
  );
}

describe('changes under one condition', () => {
  test('of 64 on a version exactly one answers 200, the others 613, version after version [chgm-rule-08 G17]', async () => {
    const urls = [target.url, (await startExtraGateway()).url];
    const { bucket, key } = await store('k', 'x');
    let current = 'text/plain';
    for (let version = 0; version < 5; version++) {
      const cond = `mime=${current}`;
      const answers = await race(urls, (racer, url) =>
        chgm(bucket, key, { mime: `v${version}/${racer}`, meta: { by: String(racer) }, cond }, { url }),
      );
      const winners = answers.flatMap(({ status }, racer) => (status === 200 ? [racer] : []));
      expect(winners).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 613)).toHaveLength(RACERS - 1);
      current = `v${version}/${winners[0]}`;
      // Type and metadata are of one and the same change.
      expect(await shownBy(bucket, key)).toMatchObject({
        mimeType: current,
        'x-svc-meta': { by: String(winners[0]) },
      });
    }
  });

  test('and overwrites: what is changed is the version that was meant [G17]', async () => {
    const { bucket, key } = await store('k', 'version 0');
    for (let version = 1; version <= 8; version++) {
      const { putTime } = await recordOf(bucket, key);
      const [uploaded, changed] = await Promise.all([
        upload({ scope: `${bucket}:${key}` }, `version ${version}`, { key }),
        chgm(bucket, key, { mime: 'was/changed', cond: `putTime=${putTime}` }),
      ]);
      expect(uploaded.status).toBe(200);
      expect([200, 613]).toContain(changed.status);
      // Whichever came first, the new version does not carry what was meant for the old one.
      expect((await shownBy(bucket, key)).mimeType).toBe('text/plain');
    }
  });

  test('and deletes: the loser gets 612 or 200, never a failure [G17]', async () => {
    const bucket = await newBucket();
    for (let round = 0; round < 8; round++) {
      const key = `k${round}`;
      await upload({ scope: bucket }, 'x', { key });
      const [removed, changed] = await Promise.all([
        signedFetch(target.url, target.account, `/delete/${formatEntry(bucket, key)}`),
        chgm(bucket, key, { mime: 'a/b' }),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 612]).toContain(changed.status);
    }
  });
});

describe('additions of metadata', () => {
  let bucket: string;
  beforeAll(async () => {
    bucket = await newBucket();
  });

  test('that race are all there: none is lost', async () => {
    await upload({ scope: bucket }, 'x', { key: 'all' });
    const answers = await race([target.url], (racer) =>
      chgm(bucket, 'all', { meta: { [`k${racer}`]: 'v' } }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: RACERS }, () => 200));
    expect(Object.keys(await metaOf(bucket, 'all'))).toHaveLength(RACERS);
  });

  test('that race never leave more than 1024 bytes in sum [G18]', async () => {
    await upload({ scope: bucket }, 'x', { key: 'full' });
    const value = 'v'.repeat(97);
    const answers = await race([target.url], (racer) =>
      chgm(bucket, 'full', { meta: { [`k${String(racer).padStart(2, '0')}`]: value } }),
    );
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(taken).toBe(10);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(RACERS - 10);
    const meta = Object.entries(await metaOf(bucket, 'full'));
    expect(meta).toHaveLength(10);
    expect(meta.reduce((sum, [name, text]) => sum + name.length + text.length, 0)).toBe(1000);
  });
});
