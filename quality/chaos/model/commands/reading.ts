/** Reads of one object by the calls of the interface: its record, and its bytes, whole and in part. */
import fc from 'fast-check';
import { type Action, learn } from '../command.ts';
import { difference, parseWire, shownIn } from '../observed.ts';
import { heldAt, isReadable, type ModelObject, spaceOf } from '../state.ts';
import { entryOf, pathOf, type WireResponse } from '../wire.ts';
import { place, placeWords, range } from './arbitrary.ts';
import { operation } from './operation.ts';

export const stats = place.map((at) =>
  operation({
    kind: 'stat',
    words: `stat ${placeWords(at)}`,
    predict(model) {
      if (!spaceOf(model, at).exists) return { status: 631 };
      const held = heldAt(model, at);
      if (held === undefined) return { status: 612 };
      return {
        status: 200,
        check: (answer) => difference(held, shownIn(parseWire(answer.body.toString()))),
        after: (answer) => learn(model, at, shownIn(parseWire(answer.body.toString()))),
      };
    },
    target: (model) => `/stat/${entryOf(model, at)}`,
  }),
);

export const downloads = fc.record({ at: place, range }).map(
  ({ at, range: asked }): Action => ({
    kind: 'get',
    words: `GET ${placeWords(at)} ${asked}`,
    predict(model) {
      const { exists, isPrivate } = spaceOf(model, at);
      if (!exists) return { status: 404 };
      if (isPrivate) return { status: 401 };
      const held = heldAt(model, at);
      if (held === undefined) return { status: 404 };
      if (!isReadable(held)) return { status: 403 };
      // The last bytes of nothing are nothing, and no range of it.
      const isWhole = asked === '' || (held.content.bytes.length === 0 && asked.startsWith('bytes=-'));
      const part = partOf(held.content.bytes, isWhole ? '' : asked);
      if (part === undefined) return { status: 416 };
      const check = (answer: WireResponse) => wrongDownload(answer, held, part);
      return { status: isWhole ? 200 : 206, check };
    },
    send: (model, system) =>
      system.wire.plain({
        method: 'GET',
        path: pathOf(spaceOf(model, at).name, at.key),
        headers: asked === '' ? {} : { range: asked },
      }),
  }),
);

/** The bytes that a range asks for; undefined: there are none. */
export function partOf(bytes: Buffer, asked: string): Buffer | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(asked);
  if (found === null) return bytes;
  const [first = '', last = ''] = found.slice(1);
  const part =
    first === ''
      ? bytes.subarray(-Number(last))
      : bytes.subarray(Number(first), last === '' ? undefined : Number(last) + 1);
  return part.length === 0 ? undefined : part;
}

/** A download by the calls of the interface. */
export function wrongDownload(answer: WireResponse, held: ModelObject, part: Buffer): string | undefined {
  if (answer.header('etag') !== `"${held.hash}"`)
    return `ETag ${answer.header('etag')} instead of ${held.hash}`;
  return wrongBody(answer, held, part, 'x-svc-meta-');
}

/** What both protocols say alike. */
export function wrongBody(
  answer: WireResponse,
  held: ModelObject,
  part: Buffer,
  prefix: string,
): string | undefined {
  if (!answer.body.equals(part)) return `other bytes, ${answer.body.length} instead of ${part.length}`;
  const wanted: [string, string | undefined][] = [
    ['content-type', held.mimeType],
    ['cache-control', held.caching === '' ? undefined : held.caching],
    ...['one', 'two'].map((name): [string, string | undefined] => [prefix + name, held.meta[name]]),
  ];
  const wrong = wanted.find(([name, value]) => answer.header(name) !== value);
  return wrong && `${wrong[0]}: ${answer.header(wrong[0])} instead of ${wrong[1]}`;
}
