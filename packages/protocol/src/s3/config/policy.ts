/**
 * Bucket policies: exactly one is understood, "anybody may read objects", which is what a public bucket is. Any other is
 * refused: a policy that is kept but not applied would promise protection that is not there.
 */
import { decodeJson } from '../../json.ts';
import { decodeUtf8 } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';
import { notImplemented } from './elements.ts';

const MAX_POLICY_BYTES = 20 * 1024;
const VERSIONS: readonly unknown[] = ['2012-10-17', '2008-10-17', undefined];
const POLICY_KEYS = new Set(['Version', 'Id', 'Statement']);
const STATEMENT_KEYS = new Set(['Sid', 'Effect', 'Principal', 'Action', 'Resource']);

/** In the words in which most clients write it. */
export function publicReadPolicy(bucket: string): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: ['*'] },
        Action: ['s3:GetObject'],
        Resource: [`arn:aws:s3:::${bucket}/*`],
      },
    ],
  });
}

/** The policy's text, if it is that one in any of its spellings; otherwise it throws. */
export function readPublicPolicy(body: Uint8Array, bucket: string): string {
  const policy = body.length > MAX_POLICY_BYTES ? undefined : decodeJson(body);
  if (!isRecord(policy))
    throw new S3Fault('MalformedPolicy', {
      message: `Policies must be valid JSON of at most ${MAX_POLICY_BYTES} bytes`,
    });
  const statements = listOf(policy.Statement);
  if (statements.length === 0 || !statements.every(isRecord))
    throw new S3Fault('MalformedPolicy', { message: 'Missing required field Statement' });
  const isKnown =
    hasOnly(policy, POLICY_KEYS) &&
    VERSIONS.includes(policy.Version) &&
    statements.every((statement) => allowsReading(statement, bucket));
  if (!isKnown)
    throw notImplemented(`the only policy supported is that anybody may read: ${publicReadPolicy(bucket)}`);
  return decodeUtf8(body) ?? '';
}

function allowsReading(statement: unknown, bucket: string): boolean {
  return (
    isRecord(statement) &&
    hasOnly(statement, STATEMENT_KEYS) &&
    (statement.Sid === undefined || typeof statement.Sid === 'string') &&
    statement.Effect === 'Allow' &&
    isEverybody(statement.Principal) &&
    isOnly(statement.Action, (action) => action.toLowerCase() === 's3:getobject') &&
    isOnly(statement.Resource, (resource) => resource === `arn:aws:s3:::${bucket}/*`)
  );
}

function isEverybody(principal: unknown): boolean {
  if (principal === '*') return true;
  return (
    isRecord(principal) && hasOnly(principal, new Set(['AWS'])) && isOnly(principal.AWS, (who) => who === '*')
  );
}

function isOnly(given: unknown, fits: (text: string) => boolean): boolean {
  const values = listOf(given);
  return values.length > 0 && values.every((value) => typeof value === 'string' && fits(value));
}

function listOf(given: unknown): readonly unknown[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(record: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>): boolean {
  return Object.keys(record).every((key) => keys.has(key));
}
