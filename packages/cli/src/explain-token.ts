/** An upload token explained: who signed it, until when it is valid, what it lets a client do, and what happens then. */
import { nodeHashing } from '@millpond/client';
import {
  type AccessKeyPair,
  decodeUtf8,
  Fault,
  parseUploadPolicy,
  splitUploadToken,
  tryDecodeBase64,
  type UnknownField,
  unknownFieldWords,
  unknownPolicyFields,
  verifyUploadToken,
} from '@millpond/protocol';
import { UsageError } from './exit.ts';
import { escapeForTerminal } from './remote/text.ts';

export interface Explained {
  readonly facts: {
    readonly accessKey: string;
    /** Absent if the key is not known. */
    readonly signature?: 'good' | 'bad';
    readonly expired: boolean;
    readonly policy: object;
    readonly fault?: string;
    /** Policy fields that have no effect. */
    readonly unknownFields?: readonly UnknownField[];
  };
  readonly words: readonly string[];
}

export function explainToken(text: string, keys: AccessKeyPair | undefined, now: number): Explained {
  const token = splitUploadToken(text);
  const bytes = token && tryDecodeBase64(token.encodedPolicy);
  const json = bytes && decodeUtf8(bytes);
  if (token === undefined || json === undefined)
    throw new UsageError(
      'this is not an upload token: it has three parts, <access key>:<signature>:<policy>',
    );
  const policy = parsedObject(json);
  const known = keys?.accessKey === token.accessKey ? keys : undefined;
  const signature = known && (verifyUploadToken(nodeHashing, known.secretKey, token) ? 'good' : 'bad');
  const deadline = Number(policy.deadline ?? 0) * 1000;
  const fault = faultOf(bytes ?? new Uint8Array());
  const unknown = unknownPolicyFields(policy);
  const lines = [
    `signed by     ${token.accessKey}${signature === undefined ? ' (not checked: its secret is not known here; --at selects another alias)' : `, signature ${signature}`}`,
    `valid until   ${timeOf(deadline)}${deadline < now ? ' — EXPIRED' : ''}`,
    ...scopeWords(policy),
    ...namedWords(policy),
    ...(unknown.length === 0
      ? []
      : [`no effect     ${unknownFieldWords(unknown)}: no server knows such a field`]),
    ...(fault === undefined ? [] : [`refused       ${fault}`]),
  ];
  return {
    facts: {
      accessKey: token.accessKey,
      ...(signature === undefined ? {} : { signature }),
      expired: deadline < now,
      policy,
      ...(fault === undefined ? {} : { fault }),
      ...(unknown.length === 0 ? {} : { unknownFields: unknown }),
    },
    words: lines.map(escapeForTerminal),
  };
}

function scopeWords(policy: Readonly<Record<string, unknown>>): string[] {
  const scope = typeof policy.scope === 'string' ? policy.scope : '';
  const colon = scope.indexOf(':');
  const [bucket, key] = colon < 0 ? [scope, undefined] : [scope.slice(0, colon), scope.slice(colon + 1)];
  const never = Number(policy.insertOnly ?? 0) !== 0;
  if (key === undefined) {
    const how = never ? 'nothing is overwritten' : 'form uploads overwrite nothing, multipart uploads do';
    return [`may store     any new key in bucket ${bucket}; ${how}`];
  }
  if (Number(policy.isPrefixalScope ?? 0) === 1)
    return [`may store     new keys in bucket ${bucket} that begin with "${key}"; nothing is overwritten`];
  return [
    `may store     the key "${key}" in bucket ${bucket}${never ? ', if it does not exist' : ', even if it exists'}`,
  ];
}

const MEANINGS: Readonly<Record<string, string>> = {
  fsizeMin: 'at least',
  fsizeLimit: 'at most',
  mimeLimit: 'types',
  saveKey: 'named',
  endUser: 'end user',
  callbackUrl: 'then calls',
  callbackBody: 'with body',
  returnUrl: 'redirects to',
  returnBody: 'answers',
  persistentOps: 'then runs',
  persistentWorkflowTemplateID: 'then runs template',
  persistentOpsForce: 'with force',
  persistentNotifyUrl: 'and notifies',
  fileType: 'class',
  deleteAfterDays: 'kept for days',
  trafficLimit: 'bits/second',
};

function namedWords(policy: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(MEANINGS)
    .filter(([name]) => policy[name] !== undefined)
    .map(([name, word]) => `${word.padEnd(13)} ${String(policy[name])}`);
}

function faultOf(bytes: Uint8Array): string | undefined {
  try {
    parseUploadPolicy(bytes);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.hint ?? error.message;
  }
}

function parsedObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new UsageError('the policy in this token is not JSON');
}

function timeOf(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time);
}
