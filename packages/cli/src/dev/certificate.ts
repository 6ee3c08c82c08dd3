/**
 * A self-signed certificate for this machine, so that HTTPS works without installing anything. Clients trust it by its
 * file (`--cacert`, `NODE_EXTRA_CA_CERTS`); it is valid for localhost only.
 */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '@millpond/protocol';
import {
  bits,
  boolean,
  type Der,
  explicitTag,
  identifier,
  implicitTag,
  integer,
  octets,
  sequence,
  setOf,
  text,
  time,
} from './der.ts';

export interface LocalCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** The longest that browsers accept. */
const DAYS = 397;
/** The issuer, by which we recognise our own certificates among others. */
export const LOCAL_NAME = 'Millpond on this machine';
const NAMES = ['localhost'];
const ADDRESSES = [Uint8Array.of(127, 0, 0, 1), Uint8Array.from([...Array<number>(15).fill(0), 1])];

export function makeLocalCertificate(now = new Date(), issuer = LOCAL_NAME): LocalCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(identifier('1.2.840.10045.4.3.2'));
  const name = sequence(setOf(sequence(identifier('2.5.4.3'), text(issuer))));
  const content = sequence(
    explicitTag(0, integer(Uint8Array.of(2))),
    integer(serialNumber()),
    algorithm,
    name,
    // A client whose clock is slightly behind ours accepts it as well.
    sequence(time(new Date(now.getTime() - DAY_MS)), time(new Date(now.getTime() + DAYS * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicitTag(3, sequence(...extensions())),
  );
  const signature = sign('sha256', content, privateKey);
  return {
    certificate: pem('CERTIFICATE', sequence(content, algorithm, bits(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extensions(): Der[] {
  const extension = (id: string, value: Der, critical = false) =>
    sequence(identifier(id), ...(critical ? [boolean(true)] : []), octets(value));
  const names = [
    ...NAMES.map((name) => implicitTag(2, Buffer.from(name))),
    ...ADDRESSES.map((address) => implicitTag(7, address)),
  ];
  return [
    // An authority for itself, and for nobody else.
    extension('2.5.29.19', sequence(boolean(true), integer(Uint8Array.of(0))), true),
    extension('2.5.29.15', bits(Uint8Array.of(0b1000_0100), 2), true),
    extension('2.5.29.37', sequence(identifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...names)),
  ];
}

/** 127 bits; neither negative nor with a leading zero. */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function pem(label: string, der: Der): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/(.{64})(?=.)/g, '$1\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
