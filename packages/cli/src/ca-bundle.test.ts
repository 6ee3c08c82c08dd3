import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { trusting } from './ca-bundle.ts';
import { makeLocalCertificate } from './dev/certificate.ts';

let folder: string;
/** Certificate authority of somebody else, such as a company's proxy. */
let theirs: string;
const at = (name: string) => path.join(folder, name);

function local(name: string): string {
  writeFileSync(at(name), makeLocalCertificate().certificate);
  return at(name);
}

const names = (file: string) =>
  readFileSync(file, 'utf8')
    .split(/(?<=END CERTIFICATE-----\n)/)
    .filter((text) => text !== '')
    .map((text) => new X509Certificate(text).fingerprint256);
const nameOf = (file: string) => names(file)[0];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'mp-trust-'));
  const made = await makeCertificate('another authority');
  theirs = at('theirs.pem');
  writeFileSync(theirs, `a comment\n${made.text}`);
  await made.remove();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', at('cache'));
  return () => vi.unstubAllEnvs();
});

describe('a shell that is to trust a certificate', () => {
  test('names its file where it trusts nothing yet, or that already', () => {
    const own = local('own.pem');
    expect([trusting(own, undefined), trusting(own, ''), trusting(own, own)]).toEqual([own, own, own]);
    expect(trusting(own, at('missing.pem'))).toBe(own);
  });

  test('goes on trusting what it did', () => {
    const own = local('own.pem');
    const both = trusting(own, theirs);
    expect(names(both)).toEqual([nameOf(theirs), nameOf(own)]);
    expect(trusting(own, theirs)).toBe(both);
  });

  test('forgets the certificates of earlier runs, of which there may be many', () => {
    const [first, second] = [local('first.pem'), local('second.pem')];
    const both = trusting(second, trusting(first, theirs));
    expect(names(both)).toEqual([nameOf(theirs), nameOf(second)]);
    expect(trusting(second, first)).toBe(second);
  });

  test('finds its file for as long as a shell may live, and no longer', () => {
    const [old, own] = [local('old.pem'), local('own.pem')];
    const forgotten = trusting(old, theirs);
    const monthAgo = Date.now() / 1000 - 31 * 86_400;
    utimesSync(forgotten, monthAgo, monthAgo);
    const kept = trusting(own, theirs);
    expect([existsSync(forgotten), existsSync(kept)]).toEqual([false, true]);
  });
});
