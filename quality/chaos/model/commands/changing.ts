/** Changes of one object: its removal, its type and metadata, and when it expires. */
import { encodeBase64Text } from '@millpond/protocol';
import fc from 'fast-check';
import { heldAt, isReadable, type ModelObject, type ObjectRef, spaceOf } from '../state.ts';
import { entryOf } from '../wire.ts';
import { caching, place, placeWords } from './arbitrary.ts';
import { operation } from './operation.ts';

export const removals = place.map((at) =>
  operation({
    kind: 'delete',
    words: `delete ${placeWords(at)}`,
    predict(model) {
      if (!spaceOf(model, at).exists) return { status: 631 };
      if (heldAt(model, at) === undefined) return { status: 612 };
      return { status: 200, atoms: [[{ at, held: undefined, way: 'delete' }]] };
    },
    target: (model) => `/delete/${entryOf(model, at)}`,
  }),
);

interface MetadataChange {
  readonly at: ObjectRef;
  /** Empty: the type that was detected. */
  readonly mime: string | undefined;
  readonly meta: Readonly<Record<string, string>>;
  readonly caching: string | undefined;
  readonly condition: 'none' | 'right hash' | 'wrong hash' | 'wrong size';
}

export const metadataChanges = fc
  .record<MetadataChange>({
    at: place,
    mime: fc.constantFrom(undefined, 'text/x-c', ''),
    meta: fc.constantFrom<Readonly<Record<string, string>>[]>({}, { one: '3' }, { one: '', two: 'z' }),
    caching: fc.option(caching, { nil: undefined }),
    condition: fc.oneof(
      { weight: 3, arbitrary: fc.constant('none' as const) },
      { weight: 2, arbitrary: fc.constant('right hash' as const) },
      { weight: 1, arbitrary: fc.constantFrom('wrong hash' as const, 'wrong size' as const) },
    ),
  })
  .map((change) => {
    const { at, condition } = change;
    return operation({
      kind: 'chgm',
      words: `chgm ${placeWords(at)} ${JSON.stringify(change)}`,
      predict(model) {
        const held = heldAt(model, at);
        if (isEmpty(change)) return { status: 400 };
        if (held === undefined) return { status: 612 };
        if (!isReadable(held)) return { status: 403 };
        if (condition.startsWith('wrong')) return { status: 613 };
        return { status: 200, atoms: [[{ at, held: changed(held, change) }]] };
      },
      target: (model) => `/chgm/${entryOf(model, at)}${segments(change, heldAt(model, at))}`,
    });
  });

function isEmpty({ mime, meta, caching: asked }: MetadataChange): boolean {
  return mime === undefined && asked === undefined && Object.keys(meta).length === 0;
}

function changed(held: ModelObject, { mime, meta, caching: asked }: MetadataChange): ModelObject {
  const merged = Object.entries({ ...held.meta, ...meta }).filter(([, value]) => value !== '');
  return {
    ...held,
    mimeType: mime === undefined ? held.mimeType : mime || held.detectedType,
    meta: Object.fromEntries(merged),
    caching: asked ?? held.caching,
  };
}

function segments(
  { mime, meta, caching: asked, condition }: MetadataChange,
  held: ModelObject | undefined,
): string {
  const size = held?.content.bytes.length ?? 0;
  const conditions = {
    none: undefined,
    'right hash': `hash=${held?.hash ?? 'x'}&fsize=${size}`,
    'wrong hash': 'hash=Fto5o-5ea0sNMlW_75VgGJCv2AcJx',
    'wrong size': `hash=${held?.hash ?? 'x'}&fsize=${size + 1}`,
  };
  const pairs: [string, string | undefined][] = [
    ['mime', mime],
    ...Object.entries(meta).map(([name, value]): [string, string] => [`x-svc-meta-${name}`, value]),
    ['x-svc-meta-!Cache-Control', asked],
    ['cond', conditions[condition]],
  ];
  return pairs
    .map(([name, value]) => (value === undefined ? '' : `/${name}/${encodeBase64Text(value)}`))
    .join('');
}

export const expiries = fc.record({ at: place, days: fc.constantFrom(0, 1, 30) }).map(({ at, days }) =>
  operation({
    kind: 'deleteAfterDays',
    words: `deleteAfterDays ${placeWords(at)} ${days}`,
    predict(model) {
      if (!spaceOf(model, at).exists) return { status: 631 };
      const held = heldAt(model, at);
      if (held === undefined) return { status: 612 };
      return { status: 200, atoms: [[{ at, held: { ...held, expires: days > 0 } }]] };
    },
    target: (model) => `/deleteAfterDays/${entryOf(model, at)}/${days}`,
  }),
);
