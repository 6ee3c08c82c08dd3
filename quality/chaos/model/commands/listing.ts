/** Lists of a bucket, page by page, by either protocol. */
import fc from 'fast-check';
import { type Action, learn, type SystemUnderTest } from '../command.ts';
import { difference, type ObservedObject, parseWire, shownIn } from '../observed.ts';
import { type Model, type ModelBucket, type ModelObject, spaceOf } from '../state.ts';
import { elementsIn, pathOf, type WireResponse } from '../wire.ts';
import { bucket } from './arbitrary.ts';

interface ListQuery {
  readonly bucket: number;
  readonly prefix: string;
  readonly delimiter: string;
  readonly limit: number;
}

/** A listed object as its protocol shows it, or a group of them. */
type ListedName = readonly [name: string, shown: ObservedObject | S3Shown | undefined];

interface S3Shown {
  readonly size: number;
  /** With its quotes escaped. */
  readonly etag: string;
}

interface Page {
  readonly lines: readonly ListedName[];
  readonly next: string | undefined;
}

const query = fc.record<ListQuery>({
  bucket,
  prefix: fc.constantFrom('', 'a', 'a/', 'z'),
  delimiter: fc.constantFrom('', '/'),
  limit: fc.constantFrom(1000, 1, 2),
});

export const lists = query.map((asked) => listing('list', asked, nativePage));
export const s3Lists = query.map((asked) => listing('s3 list', asked, s3Page));

type AskPage = (
  system: SystemUnderTest,
  space: ModelBucket,
  asked: ListQuery,
  marker: string,
) => Promise<[WireResponse, Page]>;

/** All pages are asked for; the answer that is judged is the last of them. */
function listing(kind: string, asked: ListQuery, ask: AskPage): Action {
  let pages: Page[] = [];
  return {
    kind,
    words: `${kind} ${JSON.stringify(asked)}`,
    predict(model) {
      const space = spaceOf(model, asked);
      if (!space.exists) return { status: kind === 'list' ? 631 : 404 };
      return {
        status: 200,
        check: () => wrongPages(space, asked, pages),
        after: () => learnAll(model, asked, pages),
      };
    },
    async send(model, system) {
      pages = [];
      for (let marker = ''; ; ) {
        const [answer, page] = await ask(system, spaceOf(model, asked), asked, marker);
        pages.push(page);
        if (page.next === undefined || pages.length > 100) return answer;
        marker = page.next;
      }
    },
  };
}

async function nativePage(
  system: SystemUnderTest,
  { name }: ModelBucket,
  { prefix, delimiter, limit }: ListQuery,
  marker: string,
): Promise<[WireResponse, Page]> {
  const target = `/list?${new URLSearchParams({ bucket: name, prefix, delimiter, marker, limit: String(limit) }).toString()}`;
  const answer = await system.wire.signed(target, { method: 'GET' });
  if (answer.status !== 200) return [answer, { lines: [], next: undefined }];
  const page = parseWire<{
    items: (Parameters<typeof shownIn>[0] & { key: string })[];
    commonPrefixes?: string[];
    marker?: string;
  }>(answer.body.toString());
  const items = page.items.map((item): ListedName => [item.key, shownIn(item)]);
  const groups = (page.commonPrefixes ?? []).map((group): ListedName => [group, undefined]);
  return [answer, { lines: [...items, ...groups].toSorted(byName), next: page.marker }];
}

async function s3Page(
  system: SystemUnderTest,
  { name }: ModelBucket,
  { prefix, delimiter, limit }: ListQuery,
  marker: string,
): Promise<[WireResponse, Page]> {
  const answer = await system.wire.s3({
    method: 'GET',
    path: pathOf(name),
    query: {
      'list-type': '2',
      prefix,
      delimiter,
      'max-keys': String(limit),
      ...(marker !== '' && { 'continuation-token': marker }),
    },
  });
  const [sizes, etags] = [elementsIn(answer, 'Size'), elementsIn(answer, 'ETag')];
  const groups = elementsIn(answer, 'Prefix').filter((group) => group !== prefix);
  const lines = [
    ...elementsIn(answer, 'Key').map(
      (key, at): ListedName => [key, { size: Number(sizes[at]), etag: etags[at] ?? '' }],
    ),
    ...groups.map((group): ListedName => [group, undefined]),
  ];
  return [answer, { lines: lines.toSorted(byName), next: elementsIn(answer, 'NextContinuationToken')[0] }];
}

function wrongPages(space: ModelBucket, asked: ListQuery, pages: readonly Page[]): string | undefined {
  const large = pages.find(({ lines }) => lines.length > asked.limit);
  if (large !== undefined) return `a page of ${large.lines.length}`;
  if (pages.slice(0, -1).some(({ lines }) => lines.length < asked.limit))
    return 'a short page before the last';
  const found = pages.flatMap(({ lines }) => lines);
  const [names, expected] = [found.map(([name]) => name).join(' '), namesIn(space, asked).join(' ')];
  if (names !== expected) return `shows ${names} instead of ${expected}`;
  for (const [name, shown] of found) {
    const differs = shown && differenceOf(space.objects.get(name), shown);
    if (differs !== undefined) return `${name}: ${differs}`;
  }
  return undefined;
}

function differenceOf(held: ModelObject | undefined, shown: ObservedObject | S3Shown): string | undefined {
  if ('hash' in shown) return difference(held, shown, 'list');
  if (shown.size !== held?.content.bytes.length) return `size ${shown.size}`;
  const isRight = held.etag === undefined || shown.etag === `&quot;${held.etag}&quot;`;
  return isRight ? undefined : `ETag ${shown.etag} instead of ${held.etag}`;
}

function namesIn({ objects }: ModelBucket, { prefix, delimiter }: ListQuery): string[] {
  const names = [...objects.keys()]
    .filter((name) => name.startsWith(prefix))
    .map((name) => {
      const cut = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length);
      return cut === -1 ? name : name.slice(0, cut + 1);
    });
  return [...new Set(names)].toSorted(inBytes);
}

function learnAll(model: Model, asked: ListQuery, pages: readonly Page[]): void {
  for (const [key, shown] of pages.flatMap(({ lines }) => lines))
    if (shown !== undefined && 'hash' in shown) learn(model, { bucket: asked.bucket, key }, shown);
}

const byName = ([one]: ListedName, [other]: ListedName) => inBytes(one, other);
const inBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
