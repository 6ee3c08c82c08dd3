/**
 * What a publisher or a player must present for a stream. Each stream has one key. Its holder may publish, and it signs
 * tokens that expire. A token for playing does not allow publishing.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { equalBytes } from '@millpond/protocol';
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { PublishProof } from '../engines/engine-report.ts';

type Purpose = 'publish' | 'play';

const END = /^\d{1,12}$/;

export function newStreamKey(): string {
  return randomBytes(18).toString('base64url');
}

/** `end`: unix seconds. */
export function streamToken(key: string, purpose: Purpose, stream: StreamAddress, end: number): string {
  return createHmac('sha256', key)
    .update(`${purpose}\n${engineName(stream)}\n${end}`)
    .digest('base64url');
}

export function verifyStreamToken(
  key: string,
  purpose: Purpose,
  stream: StreamAddress,
  shown: { readonly end: string; readonly token: string },
  nowMs: number,
): boolean {
  if (!END.test(shown.end) || Number(shown.end) * 1000 < nowMs) return false;
  return isSame(shown.token, streamToken(key, purpose, stream, Number(shown.end)));
}

/** `urlType` 1: the key itself, or a token. 2: a token only. */
export function canPublish(
  key: string,
  urlType: number,
  stream: StreamAddress,
  proof: PublishProof,
  nowMs: number,
): boolean {
  if (urlType === 1 && isSame(proof.key, key)) return true;
  return verifyStreamToken(key, 'publish', stream, proof, nowMs);
}

function isSame(shown: string, right: string): boolean {
  return equalBytes(Buffer.from(shown), Buffer.from(right));
}
