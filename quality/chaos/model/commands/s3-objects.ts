/** The same objects by S3: put, also under a condition, read, copied and deleted. */
import fc from 'fast-check';
import type { Action, Prediction, SystemUnderTest } from '../command.ts';
import { type Content, type ContentChoice, choice, contentIn, contentOf, wordsOf } from '../contents.ts';
import { heldAt, isReadable, type Model, type ModelObject, NEW, type ObjectRef, spaceOf } from '../state.ts';
import { pathOf, type S3Call, type WireResponse } from '../wire.ts';
import { bucket, caching, key, meta, mimeType, place, placeWords, range, type } from './arbitrary.ts';
import { partOf, wrongBody } from './reading.ts';

export const CLASSES = ['STANDARD', 'STANDARD_IA', 'GLACIER', 'DEEP_ARCHIVE'];
/** The etag of an object that came by the other calls. */
const OTHER_ETAG = /^"[0-9a-f]{32}-1"$/;

interface S3Put {
  readonly at: ObjectRef;
  readonly choice: ContentChoice;
  readonly condition: 'none' | 'new' | 'match' | 'mismatch';
  readonly mimeType: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly caching: string;
  readonly type: number;
}

export const s3Puts = fc
  .record<S3Put>({
    at: place,
    choice,
    mimeType,
    meta,
    caching,
    type,
    condition: fc.oneof(
      { weight: 3, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom('new' as const, 'match' as const, 'mismatch' as const) },
    ),
  })
  .map((put): Action => {
    const { at, condition } = put;
    const content = contentOf(put.choice);
    return {
      kind: condition === 'none' ? 's3 put' : 's3 put if',
      words: `S3 put ${wordsOf(put.choice)} to ${placeWords(at)} if ${condition} (class ${put.type})`,
      predict(model) {
        if (!spaceOf(model, at).exists) return { status: 404 };
        const held = heldAt(model, at);
        const refusal = refusalOf(held, condition);
        if (refusal !== undefined) return { status: refusal };
        return {
          status: 200,
          check: (answer) => wrongEtag(answer, content.md5),
          atoms: [[{ at, held: heldBy(put, content), way: 's3-put' }]],
        };
      },
      send: (model, system) =>
        system.wire.s3({
          ...objectCall(model, 'PUT', at),
          body: content,
          headers: { ...descriptionOf(put), ...conditionHeaders(condition, heldAt(model, at)) },
        }),
    };
  });

function refusalOf(held: ModelObject | undefined, condition: S3Put['condition']): number | undefined {
  if (condition === 'new') return held === undefined ? undefined : 412;
  if (condition === 'none') return undefined;
  if (held === undefined) return 404;
  return condition === 'match' ? undefined : 412;
}

function conditionHeaders(
  condition: S3Put['condition'],
  held: ModelObject | undefined,
): Record<string, string> {
  if (condition === 'none') return {};
  if (condition === 'new') return { 'if-none-match': '*' };
  const other = '"00000000000000000000000000000000"';
  const right = held?.etag === undefined ? '*' : `"${held.etag}"`;
  return { 'if-match': condition === 'match' && held !== undefined ? right : other };
}

function descriptionOf(put: Pick<S3Put, 'mimeType' | 'meta' | 'caching' | 'type'>): Record<string, string> {
  return {
    'content-type': put.mimeType,
    ...(put.caching !== '' && { 'cache-control': put.caching }),
    ...(put.type !== 0 && { 'x-amz-storage-class': CLASSES[put.type] ?? '' }),
    ...Object.fromEntries(Object.entries(put.meta).map(([name, value]) => [`x-amz-meta-${name}`, value])),
  };
}

function heldBy({ mimeType, meta, caching, type }: S3Put, content: Content): ModelObject {
  const said = { mimeType, meta, caching, type };
  return { ...NEW, ...said, content, hash: content.hash, etag: content.md5, detectedType: mimeType };
}

function objectCall(model: Model, method: S3Call['method'], at: ObjectRef): S3Call {
  return { method, path: pathOf(spaceOf(model, at).name, at.key) };
}

function wrongEtag(answer: WireResponse, etag: string | undefined): string | undefined {
  const found = answer.header('etag') ?? '';
  const isRight = etag === undefined ? OTHER_ETAG.test(found) : found === `"${etag}"`;
  return isRight ? undefined : `ETag ${found} instead of ${etag ?? 'one with a dash'}`;
}

export const s3Gets = fc
  .record({ at: place, range, method: fc.constantFrom('GET' as const, 'HEAD' as const) })
  .map(({ at, range: wanted, method }): Action => {
    const asked = method === 'HEAD' ? '' : wanted;
    return {
      kind: `s3 ${method.toLowerCase()}`,
      words: `S3 ${method} ${placeWords(at)} ${asked}`,
      predict(model) {
        const held = heldAt(model, at);
        if (held === undefined) return { status: 404 };
        if (method === 'HEAD') return { status: 200, check: (answer) => wrongHead(answer, held) };
        if (!isReadable(held)) return { status: 403 };
        const part = partOf(held.content.bytes, asked);
        if (part === undefined) return { status: 416 };
        const check = (answer: WireResponse) =>
          wrongEtag(answer, held.etag) ?? wrongBody(answer, held, part, 'x-amz-meta-');
        return { status: asked === '' ? 200 : 206, check };
      },
      send: (model, system) =>
        system.wire.s3({
          ...objectCall(model, method, at),
          ...(asked !== '' && { headers: { range: asked } }),
        }),
    };
  });

function wrongHead(answer: WireResponse, held: ModelObject): string | undefined {
  const size = String(held.content.bytes.length);
  if (answer.header('content-length') !== size) return `content-length ${answer.header('content-length')}`;
  const shown = answer.header('x-amz-storage-class');
  const expected = held.type === 0 ? undefined : CLASSES[held.type];
  if (shown !== expected) return `x-amz-storage-class ${shown} instead of ${expected}`;
  return wrongEtag(answer, held.etag) ?? wrongBody(answer, held, Buffer.alloc(0), 'x-amz-meta-');
}

export const s3Deletes = place.map(
  (at): Action => ({
    kind: 's3 delete',
    words: `S3 delete ${placeWords(at)}`,
    predict(model) {
      if (!spaceOf(model, at).exists) return { status: 404 };
      if (heldAt(model, at) === undefined) return { status: 204 };
      return { status: 204, atoms: [[{ at, held: undefined, way: 'delete' }]] };
    },
    send: (model, system) => system.wire.s3(objectCall(model, 'DELETE', at)),
  }),
);

/** What has no condition is removed in one statement. */
export const s3DeletesOfMany = fc
  .record({ bucket, keys: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }) })
  .map(
    ({ bucket: number, keys }): Action => ({
      kind: 's3 delete many',
      words: `S3 delete ${keys.join(' ')} of bucket ${number}`,
      predict(model): Prediction {
        const space = spaceOf(model, { bucket: number });
        if (!space.exists) return { status: 404 };
        const there = keys.filter((each) => space.objects.has(each));
        const removed = there.map((each) => ({
          at: { bucket: number, key: each },
          held: undefined,
          way: 'delete',
        }));
        return { status: 200, atoms: removed.length === 0 ? [] : [removed] };
      },
      send(model, system) {
        const objects = keys.map((each) => `<Object><Key>${each}</Key></Object>`).join('');
        return system.wire.s3({
          method: 'POST',
          path: pathOf(spaceOf(model, { bucket: number }).name),
          query: { delete: '' },
          body: contentIn(Buffer.from(`<Delete>${objects}</Delete>`)),
        });
      },
    }),
  );

export const s3Copies = fc.record({ from: place, to: place, type }).map(
  ({ from, to, type: wanted }): Action => ({
    kind: 's3 copy',
    words: `S3 copy ${placeWords(from)} to ${placeWords(to)} (class ${wanted})`,
    predict(model) {
      const held = heldAt(model, from);
      if (!spaceOf(model, to).exists || held === undefined) return { status: 404 };
      if (!isReadable(held)) return { status: 403 };
      const isItself = from.bucket === to.bucket && from.key === to.key;
      if (isItself && wanted === held.type) return { status: 400 };
      const copy: ModelObject = { ...held, type: wanted, restore: 'frozen', expires: false };
      return { status: 200, atoms: [[{ at: to, held: copy, way: 's3-copy' }]] };
    },
    send: (model, system: SystemUnderTest) =>
      system.wire.s3({
        ...objectCall(model, 'PUT', to),
        headers: {
          'x-amz-copy-source': pathOf(spaceOf(model, from).name, from.key),
          ...(wanted !== 0 && { 'x-amz-storage-class': CLASSES[wanted] ?? '' }),
        },
      }),
  }),
);
