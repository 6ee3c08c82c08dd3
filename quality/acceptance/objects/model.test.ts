/** Random sequences of calls, against a model that is a map: what the server shows must be what the model holds. */
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chgm } from '../support/objects/change-metadata.ts';
import { callOperation, relocate } from '../support/objects/operations.ts';
import { download, newBucket, target, upload } from '../support/target.ts';

/** On the disk store only: what is looked at are the records, and its bytes are the quicker ones. */
const RUNS = 12;
const STEPS = 25;

const keys = ['a', 'a/', 'a/b', 'b', 'é'] as const;
const place = fc.record({ bucket: fc.constantFrom(0, 1), key: fc.constantFrom(...keys) });
/** Cache-Control of its downloads; empty: none. */
const caching = fc.constantFrom('', 'no-cache', 'max-age=60');
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('put' as const), at: place, force: fc.boolean(), caching }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('chgm' as const), at: place, caching }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: place }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('copy' as const, 'move' as const),
      at: place,
      to: place,
      force: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type ObjectRef = { readonly bucket: number; readonly key: string };

interface ModelObject {
  readonly content: string;
  readonly caching: string;
}

const nameOf = ({ bucket, key }: ObjectRef) => `${bucket}:${key}`;
const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What a step must answer, and what it does to the model. */
function applyToModel(model: Map<string, ModelObject>, each: Step, content: string): number {
  const at = nameOf(each.at);
  const held = model.get(at);
  if (each.kind === 'put') {
    if (!each.force && held !== undefined) return 614;
    model.set(at, { content, caching: each.caching });
    return 200;
  }
  if (held === undefined) return 612;
  if (each.kind === 'chgm') {
    model.set(at, { ...held, caching: each.caching });
    return 200;
  }
  if (each.kind === 'delete') {
    model.delete(at);
    return 200;
  }
  const to = nameOf(each.to);
  if (!each.force && model.has(to)) return 614;
  if (each.kind === 'move') model.delete(at);
  model.set(to, held);
  return 200;
}

async function applyToServer(buckets: readonly string[], each: Step, content: string): Promise<number> {
  const real = ({ bucket, key }: ObjectRef) => ({ bucket: buckets[bucket] ?? '', key });
  const at = real(each.at);
  if (each.kind === 'put') {
    const scope = each.force ? `${at.bucket}:${at.key}` : at.bucket;
    const fields = { 'x-svc-meta-!Cache-Control': each.caching };
    return (await upload({ scope }, content, { key: at.key, fields })).status;
  }
  if (each.kind === 'chgm')
    return (await chgm(at.bucket, at.key, { meta: { '!Cache-Control': each.caching } })).status;
  if (each.kind === 'delete')
    return (await callOperation(`/delete/${formatEntry(at.bucket, at.key)}`)).status;
  return (await relocate(each.kind, at, real(each.to), each.force)).status;
}

async function shownBy(bucket: string): Promise<[string, ModelObject][]> {
  const answer = await signedFetch(target.url, target.account, `/list?bucket=${bucket}`);
  const { items } = (await answer.json()) as { items: { key: string }[] };
  return Promise.all(
    items.map(async ({ key }): Promise<[string, ModelObject]> => {
      const answer = await download(bucket, key);
      return [key, { content: await answer.text(), caching: answer.headers.get('cache-control') ?? '' }];
    }),
  );
}

test.runIf(target.store === 'disk')(
  'put, copy, move, delete, chgm of a header and list do what a map does [copy-01 move-01 list-01 headers-05]',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS }), async (steps) => {
        const buckets = [await newBucket(), await newBucket()];
        const model = new Map<string, ModelObject>();
        for (const [index, each] of steps.entries()) {
          const content = `content ${index}`;
          const expected = applyToModel(model, each, content);
          expect(await applyToServer(buckets, each, content), JSON.stringify(each)).toBe(expected);
        }
        for (const [index, bucket] of buckets.entries()) {
          const held = [...model]
            .filter(([name]) => name.startsWith(`${index}:`))
            .map(([name, value]) => [name.slice(2), value] as [string, ModelObject])
            .toSorted(([a], [b]) => inBytes(a, b));
          expect(await shownBy(bucket)).toEqual(held);
        }
      }),
      { numRuns: RUNS },
    );
  },
);
