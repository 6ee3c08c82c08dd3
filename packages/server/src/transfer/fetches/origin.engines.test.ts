import { createHash } from 'node:crypto';
import { BlobNotFoundError, type BlobStore } from '@millpond/blobs';
import {
  createOutboundClient,
  type OutboundClient,
  OutboundError,
  type OutboundRequest,
} from '@millpond/outbound';
import { createDnsStub, type Receiver, reply, startReceiver } from '@millpond/outbound/testing';
import { etagOf, Fault } from '@millpond/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBlobs } from '../../../test/blobs.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import { withoutSmallBlobs } from '../../platform/small-blobs/small-blobs.testing.ts';
import { discard, fetchFile, isPermanent, type Source } from './origin.ts';

const ALLOWED = '127.0.0.77';
const never = new AbortController().signal;
const CONTENT = 'the content';

describe('a file', () => {
  const blobs = useBlobs('disk');
  const clients: OutboundClient[] = [];
  let good: Receiver;
  let canary: Receiver;

  beforeAll(async () => {
    good = await startReceiver(
      (socket, head) => {
        if (head.startsWith('GET /hang')) return;
        const status = Number(/^GET \/(\d+)/.exec(head)?.[1] ?? 200);
        reply(status, CONTENT, ['content-type: text/x-own'])(socket, head);
      },
      { address: ALLOWED },
    );
    canary = await startReceiver(reply(200, 'secret'), { port: good.port });
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all([good.close(), canary.close()]);
  });

  function fetchWith(
    source: Partial<Source> & Pick<Source, 'urls'>,
    names: Parameters<typeof createDnsStub>[0] = {},
    signal = never,
    store: BlobStore = blobs.store,
  ) {
    const outbound = createOutboundClient({
      allow: [`${ALLOWED}/32`],
      resolve: createDnsStub(names).resolve,
    });
    clients.push(outbound);
    const complete = {
      host: undefined,
      redirects: 3,
      timeoutMs: 5000,
      tier: 'STANDARD',
      party: 1n,
      ...source,
    } as const;
    return fetchFile({ outbound, blobs: withoutSmallBlobs(store), maxBytes: 1024 * 1024 }, complete, signal);
  }
  const at = (path: string, host = ALLOWED) => `http://${host}:${good.port}${path}`;
  const faultOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const stored = async () => {
    const ids: string[] = [];
    for (const hour of await blobs.store.listHours())
      for await (const page of blobs.store.list(hour)) ids.push(...page.map(({ id }) => id));
    return ids;
  };

  test('is stored whole, and described by what passed', async () => {
    const file = await fetchWith({ urls: [at('/a')] });
    expect(file).toMatchObject({
      size: CONTENT.length,
      hash: etagOf(nodeHashing, Buffer.from(CONTENT)),
      url: at('/a'),
      contentType: 'text/x-own',
    });
    expect(Buffer.from(await blobs.store.readAll(file.blobId, 100)).toString()).toBe(CONTENT);
    await discard(blobs.store, file);
    await expect(blobs.store.readAll(file.blobId, 100)).rejects.toThrow(BlobNotFoundError);
  });

  test.each([
    ['turns to a denied one', [[ALLOWED], ['127.0.0.1']], 200],
    ['is denied from the start', [['127.0.0.1'], [ALLOWED]], 478],
    ['is one of several, of which one is denied', [[ALLOWED, '127.0.0.1']], 478],
  ])(
    'of a name whose address %s: the checked address is the one that is asked [outbound-06 outbound-07 G38]',
    async (_what, answers, status) => {
      const before = await stored();
      const fetching = fetchWith({ urls: [at('/a', 'flip.test')] }, { 'flip.test': answers });
      if (status === 200) await discard(blobs.store, await fetching);
      else expect(await faultOf(fetching)).toMatchObject({ fault: 'originFailed' });
      expect(await stored()).toEqual(before);
      expect(canary.accepted).toBe(0);
    },
  );

  test('that was promised otherwise is not kept, and the next origin is asked', async () => {
    const before = await stored();
    const seen: string[] = [];
    const check: Source['check'] = ({ hash }, md5) => {
      seen.push(`${hash} ${md5}`);
      throw new Fault('contentModified');
    };
    const fault = await faultOf(fetchWith({ urls: [at('/a'), at('/b')], check }));
    expect(fault).toMatchObject({ fault: 'contentModified' });
    const md5 = createHash('md5').update(CONTENT).digest('hex');
    const both = `${etagOf(nodeHashing, Buffer.from(CONTENT))} ${md5}`;
    expect(seen).toEqual([both, both]);
    expect(await stored()).toEqual(before);
  });

  test('that none can be asked for is a failure, not missing, whichever comes first', async () => {
    for (const urls of [
      [at('/404'), at('/500')],
      [at('/500'), at('/404')],
    ])
      expect(await faultOf(fetchWith({ urls }))).toMatchObject({ fault: 'originFailed' });
    expect(await faultOf(fetchWith({ urls: [at('/404'), at('/404')] }))).toMatchObject({ fault: 'notFound' });
  });

  test('that one origin will never give and another not now may be had later, whichever comes first', async () => {
    const denied = `http://127.0.0.1:${good.port}/`;
    for (const urls of [
      [at('/500'), denied],
      [denied, at('/500')],
      [at('/404'), at('/500'), denied],
    ]) {
      const fault = await faultOf(fetchWith({ urls }));
      expect(fault).toMatchObject({ fault: 'originFailed', hint: 'the origin answered 500' });
      expect(isPermanent(fault as Fault)).toBe(false);
    }
  });

  test('of an origin that says nothing leaves time for the next', async () => {
    const file = await fetchWith({ urls: [at('/hang'), at('/b')], timeoutMs: 2000 });
    expect(file.url).toBe(at('/b'));
  });

  test('of an origin that says nothing is given up long before the end of its time', async () => {
    const asked: OutboundRequest[] = [];
    const outbound = {
      open(request: OutboundRequest) {
        asked.push(request);
        throw new OutboundError('timeout', 'no answer in time');
      },
    } as unknown as OutboundClient;
    const parts = { outbound, blobs: withoutSmallBlobs(blobs.store), maxBytes: 1024 };
    const source = { urls: [at('/a')], host: undefined, redirects: 3, tier: 'STANDARD', party: 1n } as const;
    const hour = 3_600_000;
    expect(await faultOf(fetchFile(parts, { ...source, timeoutMs: hour }, never))).toMatchObject({
      fault: 'originFailed',
    });
    expect(asked.map(({ limits: { headersMs, idleMs } }) => [headersMs, idleMs])).toEqual([[60_000, 60_000]]);
    expect(asked[0]?.limits.totalMs).toBeGreaterThan(hour - 60_000);
  });

  test('that nobody waits for any more ends with the reason', async () => {
    const leaving = new AbortController();
    const fetching = faultOf(fetchWith({ urls: [at('/hang'), at('/a')] }, {}, leaving.signal));
    leaving.abort(new Error('gone'));
    expect(await fetching).toMatchObject({ message: 'gone' });
  });

  test('that the store does not take is no failure of the origin', async () => {
    const full = new Error('the store is full');
    const store = new Proxy(blobs.store, {
      get: (real, name) =>
        name === 'openWriter'
          ? () => ({
              write: () => undefined,
              finish: () => Promise.reject(full),
              abort: async () => undefined,
            })
          : Reflect.get(real, name),
    });
    expect(await faultOf(fetchWith({ urls: [at('/a'), at('/b')] }, {}, never, store))).toBe(full);
  });

  test.each([
    ['/404', true],
    ['/500', false],
  ])('%s is final: %s', async (path, final) => {
    const fault = await faultOf(fetchWith({ urls: [at(path)] }));
    expect(fault instanceof Fault && isPermanent(fault)).toBe(final);
  });

  test('a denied address is final, a name without one is not', async () => {
    for (const [url, final] of [
      ['http://127.0.0.1/', true],
      ['http://nowhere.test/', false],
    ] as const) {
      const fault = await faultOf(fetchWith({ urls: [url] }));
      expect(fault instanceof Fault && isPermanent(fault)).toBe(final);
    }
  });
});
