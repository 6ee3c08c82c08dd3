/** Signed requests and what an attacker might make of them. */
import fc from 'fast-check';
import { type Draft, EMPTY_SHA256, presign, type SignedRequest, signHeader } from './s3-signer.ts';

const piece = fc.constantFrom(...'abz09/.-_~ +%&=?;:,@$!*()é\t'.split(''));
const name = fc.constantFrom(
  'prefix',
  'uploads',
  'acl',
  'x-id',
  'list-type',
  'a',
  'x-amz-meta-q',
  'Signature',
);
const headerName = fc.constantFrom(
  'x-amz-meta-a',
  'X-Amz-Acl',
  'content-type',
  'range',
  'x-amz-copy-source',
  'accept-encoding',
);
const headerValue = fc.string({ unit: fc.constantFrom(...'ab ,;=/\t"'.split('')), maxLength: 8 });

const draft: fc.Arbitrary<Draft> = fc.record({
  method: fc.constantFrom('GET', 'PUT', 'DELETE', 'POST', 'HEAD'),
  path: fc.string({ unit: piece, maxLength: 10 }).map((text) => `/b/${text.replaceAll('\t', '')}`),
  parameters: fc.array(fc.tuple(name, fc.string({ unit: piece, maxLength: 5 })), { maxLength: 3 }),
  headers: fc
    .array(fc.tuple(headerName, headerValue), { maxLength: 3 })
    .map((more) => [['Host', '127.0.0.1:9000'], ...more] as [string, string][]),
  region: fc.constantFrom('us-east-1', 'z0', ''),
});

/** With the credentials in a header or in the query, valid. */
export const signedRequest: fc.Arbitrary<SignedRequest> = fc
  .tuple(draft, fc.boolean(), fc.constantFrom(EMPTY_SHA256, 'UNSIGNED-PAYLOAD'))
  .filter(([{ parameters = [] }]) => !parameters.some(([one]) => one === 'Signature'))
  .map(([one, inHeader, payload]) =>
    inHeader
      ? signHeader({ ...one, headers: [...one.headers, ['x-amz-content-sha256', payload]] })
      : presign(one),
  );

export type Mutation = (request: SignedRequest) => SignedRequest;

const at = (text: string, ratio: number) => Math.min(text.length - 1, Math.floor(ratio * text.length));
const replaced = (text: string, ratio: number, by: string, length: number) =>
  text.slice(0, at(text, ratio)) + by + text.slice(at(text, ratio) + length);
const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((text, index) => (index % 2 === 0 ? [[text, raw[index + 1] ?? ''] as [string, string]] : []));
const ofHeaders =
  (change: (headers: [string, string][]) => [string, string][]): Mutation =>
  (request) => ({ ...request, rawHeaders: change(pairs(request.rawHeaders)).flat() });

const ratio = fc.double({ min: 0, max: 0.999, noNaN: true });
const text = fc.constantFrom(
  'a',
  'A',
  '/',
  '//',
  '%2F',
  '%2f',
  '%',
  '+',
  '%20',
  ' ',
  '.',
  ';',
  ',',
  '=',
  '&',
  '0',
  'é',
  '\t',
);
const addedParameter = fc.constantFrom(
  'acl',
  'acl=',
  '&',
  'x-amz-acl=private',
  'X-Amz-Signature=0',
  'x-amz-signature=0',
  'X-Amz-Expires=604800',
  'Signature=a&AWSAccessKeyId=b',
  'X-Amz-Algorithm=AWS4-HMAC-SHA256',
  'x-amz-content-sha256=UNSIGNED-PAYLOAD',
);

/** One change of one place. Many leave the meaning as it is, and those must verify still. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom('GET', 'DELETE', 'PUT').map(
    (method): Mutation =>
      (request) => ({ ...request, method }),
  ),
  fc.tuple(ratio, text, fc.nat(2)).map(
    ([r, by, length]): Mutation =>
      (request) => ({ ...request, path: `/${replaced(request.path, r, by, length)}`.replace(/^\/\//, '/') }),
  ),
  fc.tuple(ratio, text, fc.nat(2)).map(
    ([r, by, length]): Mutation =>
      (request) => ({
        ...request,
        query: request.query === undefined ? by : replaced(request.query, r, by, length),
      }),
  ),
  addedParameter.map(
    (added): Mutation =>
      (request) => ({ ...request, query: `${request.query ?? ''}&${added}` }),
  ),
  fc.constant<Mutation>((request) => ({ ...request, query: request.query?.split('&').reverse().join('&') })),
  ratio.map(
    (r): Mutation =>
      (request) => {
        const fields = request.query?.split('&') ?? [];
        return { ...request, query: fields.toSpliced(Math.floor(r * fields.length), 1).join('&') };
      },
  ),
  // Another spelling of the same path.
  ratio.map(
    (r): Mutation =>
      (request) => {
        const code = request.path.charCodeAt(at(request.path, r));
        const spelling = `%${code.toString(16).padStart(2, '0')}`;
        return request.path[at(request.path, r)] === '%'
          ? request
          : { ...request, path: replaced(request.path, r, spelling, 1) };
      },
  ),
  fc.tuple(headerName, headerValue).map(([one, value]) => ofHeaders((all) => [...all, [one, value]])),
  ratio.map((r) => ofHeaders((all) => all.toSpliced(Math.floor(r * all.length), 1))),
  ratio.map((r) => ofHeaders((all) => [...all, all[Math.floor(r * all.length)] ?? ['a', 'b']])),
  fc.constant(ofHeaders((all) => all.reverse())),
  fc.constant(
    ofHeaders((all) => all.map(([one, value]) => [one.toUpperCase(), `  ${value.replaceAll(' ', '   ')} `])),
  ),
  fc.tuple(ratio, ratio, text, fc.nat(2)).map(([which, r, by, length]) =>
    ofHeaders((all) => {
      const index = Math.floor(which * all.length);
      const [one = '', value = ''] = all[index] ?? [];
      return all.length === 0 ? all : all.with(index, [one, replaced(value, r, by, length)]);
    }),
  ),
  // Fewer or other names are said to be signed.
  fc.constantFrom('host', 'host;x-amz-date', 'HOST').map(
    (names): Mutation =>
      (request) => ({
        ...request,
        query: request.query?.replace(
          /X-Amz-SignedHeaders=[^&]*/,
          `X-Amz-SignedHeaders=${encodeURIComponent(names)}`,
        ),
        rawHeaders: request.rawHeaders.map((one) =>
          one.replace(/SignedHeaders=[^,]*/, `SignedHeaders=${names}`),
        ),
      }),
  ),
);
