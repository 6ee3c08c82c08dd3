import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashing } from '../../../test/hashing.ts';
import { type Mutation, mutation, signedRequest } from '../../../test/s3-mutations.ts';
import { referenceAccepts } from '../../../test/s3-reference.ts';
import { KEY, SECRET, type SignedRequest, TIME } from '../../../test/s3-signer.ts';
import { S3Fault } from '../fault.ts';
import { readCredentials } from './credentials.ts';
import { verifyCredentials } from './verify.ts';

/** `MILLPOND_TEST_SIGV4=100000 npx vitest run packages/protocol/src/s3/sigv4/mutations.test.ts` asks for more. */
const RUNS = Number(process.env.MILLPOND_TEST_SIGV4 ?? 3000);

function accepts(request: SignedRequest): boolean {
  try {
    const credentials = readCredentials(request, { allowsV2: true });
    // As the listener does: an unknown key is refused before its signature is looked at.
    if (credentials.kind === 'anonymous' || credentials.accessKey !== KEY) return false;
    verifyCredentials(hashing, credentials, SECRET, { now: TIME });
    return true;
  } catch (error) {
    if (error instanceof S3Fault) return false;
    throw error;
  }
}

const decode = (text: string, plus: string) =>
  text
    .replaceAll('+', plus)
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What a request asks for, whatever way it is written in. */
function meaning({ method, path, query, rawHeaders }: SignedRequest) {
  const headers = rawHeaders
    .flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : []))
    .filter(([name = '']) => name === 'host' || name.startsWith('x-amz-'))
    .map(([name, value = '']) => `${name}:${value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')}`);
  const parameters = (query ?? '')
    .split('&')
    .filter((field) => field !== '' && !field.startsWith('X-Amz-Signature='))
    .map((field) =>
      [field.split('=')[0] ?? '', field.split('=').slice(1).join('=')].map((one) => decode(one, ' ')),
    );
  return {
    method,
    path: decode(path, '+'),
    parameters: parameters.map(([name, value]) => `${name}=${value}`).sort(),
    // Those of one name stay in their order.
    headers: headers
      .map((line) => [line.slice(0, line.indexOf(':')), line] as const)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([, line]) => line),
  };
}

test('every signed request is accepted, by us and by the second verifier', () => {
  fc.assert(
    fc.property(signedRequest, (request) => {
      expect(accepts(request)).toBe(true);
      expect(referenceAccepts(request, KEY, SECRET, TIME)).toBe(true);
    }),
    { numRuns: RUNS / 10 },
  );
});

test(`of ${RUNS} changed requests, none is accepted that the second verifier refuses, or that means something else`, () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      signedRequest,
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      (request: SignedRequest, mutations: Mutation[]) => {
        const changed = mutations.reduce((one, mutate) => mutate(one), request);
        if (!accepts(changed)) return;
        accepted++;
        expect(referenceAccepts(changed, KEY, SECRET, TIME)).toBe(true);
        const [before, after] = [meaning(request), meaning(changed)];
        expect({ ...after, headers: joined(after.headers) }).toEqual({
          ...before,
          headers: joined(before.headers),
        });
      },
    ),
    { numRuns: RUNS },
  );
  // Some changes are only other spellings; if none were accepted, the test would show nothing.
  expect(accepted).toBeGreaterThan(RUNS / 100);
});

/** Two headers of one name are one with a comma, and an empty one is none. */
function joined(lines: readonly string[]): string[] {
  const values = new Map<string, string[]>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':'));
    values.set(name, [...(values.get(name) ?? []), line.slice(name.length + 1)]);
  }
  return [...values]
    .filter(([, all]) => all.join(',') !== '')
    .map(([name, all]) => `${name}:${all.join(',')}`);
}
