/** Why a sign-in by a provider failed: a word, for the audit log and for the page, which has a sentence for it. */
import type { SignInFailure } from '@millpond/protocol';

export class SignInError extends Error {
  readonly refusal: SignInFailure;

  /** `detail` is for the log. */
  constructor(refusal: SignInFailure, detail?: string, options?: ErrorOptions) {
    super(detail ?? refusal, options);
    this.name = 'SignInError';
    this.refusal = refusal;
  }
}
