/**
 * Upload tokens that were proven lately: of many files that are sent with one token, the first pays for its signature and for
 * reading its policy. A token counts as proven by the key as it was read then; when the key is read anew, it is proven anew.
 */
import type { UploadPolicy } from '@millpond/protocol';
import type { AccessKey } from '../../identity/accounts/index.ts';

const MAX_TOKENS = 1_000;
/** Longer ones are rare, and together would be much memory. */
const MAX_CHARACTERS = 4_096;

interface Proven {
  readonly key: AccessKey;
  readonly policy: UploadPolicy;
}

export class VerifiedTokenCache {
  readonly #proven = new Map<string, Proven>();

  /** What the token permits, if this key proved it. Says nothing about its deadline. */
  policyOf(token: string, key: AccessKey): UploadPolicy | undefined {
    const found = this.#proven.get(token);
    return found?.key === key ? found.policy : undefined;
  }

  /** The longest known one makes room. */
  add(token: string, key: AccessKey, policy: UploadPolicy): void {
    if (token.length > MAX_CHARACTERS) return;
    this.#proven.delete(token);
    this.#proven.set(token, { key, policy });
    if (this.#proven.size <= MAX_TOKENS) return;
    const [oldest = ''] = this.#proven.keys();
    this.#proven.delete(oldest);
  }
}
