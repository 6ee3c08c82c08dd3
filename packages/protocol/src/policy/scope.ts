/** The scope of an upload policy: which keys a token may write, and whether it may replace existing objects. */
import { invalidPolicy } from './refuse.ts';

export interface Scope {
  readonly bucket: string;
  /** What follows the first colon; undefined if there is none. `bucket:` names the empty key or prefix. */
  readonly key: string | undefined;
}

export interface ScopeRules {
  readonly scope: Scope;
  readonly isPrefixalScope: boolean;
  readonly insertOnly: boolean;
  readonly keylimit: readonly string[] | undefined;
}

export interface ScopeDecision {
  /** Undefined: the object has no name yet, and the result depends on it. Check again before it is created. */
  readonly allowed: boolean | undefined;
  /** `insert`: an object with that key and other content stays, and the upload fails. */
  readonly mode: 'insert' | 'overwrite';
}

export function parseScope(text: string): Scope {
  const colon = text.indexOf(':');
  const scope =
    colon < 0
      ? { bucket: text, key: undefined }
      : { bucket: text.slice(0, colon), key: text.slice(colon + 1) };
  if (scope.bucket === '') throw invalidPolicy('scope names no bucket');
  return scope;
}

export function formatScope(scope: Scope): string {
  return scope.key === undefined ? scope.bucket : `${scope.bucket}:${scope.key}`;
}

/** `multipart` is any upload in several requests: with a bare bucket as scope it overwrites, a form upload does not. */
export function evaluateScope(
  rules: ScopeRules,
  key: string | undefined,
  upload: 'form' | 'multipart',
): ScopeDecision {
  return { allowed: allows(rules, key), mode: overwrites(rules, upload) ? 'overwrite' : 'insert' };
}

function allows(
  { scope, isPrefixalScope, keylimit }: ScopeRules,
  key: string | undefined,
): boolean | undefined {
  if (keylimit !== undefined && key !== undefined && !keylimit.includes(key)) return false;
  const everyKey = scope.key === undefined || (isPrefixalScope && scope.key === '');
  if (everyKey && keylimit === undefined) return true;
  if (key === undefined) return undefined;
  if (everyKey) return true;
  return isPrefixalScope ? key.startsWith(scope.key) : key === scope.key;
}

function overwrites(
  { scope, isPrefixalScope, insertOnly }: ScopeRules,
  upload: 'form' | 'multipart',
): boolean {
  if (insertOnly) return false;
  return scope.key === undefined ? upload === 'multipart' : !isPrefixalScope;
}
