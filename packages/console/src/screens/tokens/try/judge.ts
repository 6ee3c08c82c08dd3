/** What the protocol says of an upload before it is sent: by the same code that the server judges with. */
import {
  BLOCK_SIZE,
  encodeUploadPolicy,
  encodeUtf8,
  evaluateScope,
  type PolicyFields,
  parseUploadPolicy,
} from '@millpond/protocol';

export interface CheckStep {
  readonly name: 'key' | 'size' | 'type' | 'stored';
  readonly state: 'ok' | 'bad' | 'wait' | 'busy';
  /** Which words. */
  readonly word?:
    | 'allowed'
    | 'notAllowed'
    | 'later'
    | 'overwrites'
    | 'fits'
    | 'tooLarge'
    | 'tooSmall'
    | 'byContent';
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Of a policy that the encoder accepts. */
export function simulateUpload(policy: PolicyFields, key: string | undefined, size: number): CheckStep[] {
  const parsed = parseUploadPolicy(encodeUtf8(encodeUploadPolicy(policy)));
  const { allowed, mode } = evaluateScope(parsed, key, size > BLOCK_SIZE ? 'multipart' : 'form');
  const keyStep: CheckStep =
    allowed === undefined
      ? { name: 'key', state: 'wait', word: 'later' }
      : allowed
        ? { name: 'key', state: 'ok', word: mode === 'overwrite' ? 'overwrites' : 'allowed' }
        : { name: 'key', state: 'bad', word: 'notAllowed' };
  return [keyStep, sizeStep(parsed, size), ...(parsed.mimeLimit === undefined ? [] : [BY_CONTENT])];
}

const BY_CONTENT: CheckStep = { name: 'type', state: 'wait', word: 'byContent' };

function sizeStep(
  { fsizeLimit, fsizeMin }: { fsizeLimit: number | undefined; fsizeMin: number | undefined },
  size: number,
): CheckStep {
  if (fsizeLimit !== undefined && size > fsizeLimit) return { name: 'size', state: 'bad', word: 'tooLarge' };
  if (fsizeMin !== undefined && size < fsizeMin) return { name: 'size', state: 'bad', word: 'tooSmall' };
  return { name: 'size', state: 'ok', word: 'fits' };
}
