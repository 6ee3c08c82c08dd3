/** Why a sign-in by a provider failed: a word for the audit log, and a sentence for whoever tried. */
export type RefusalName =
  | 'wrongState'
  | 'providerRefused'
  | 'providerAway'
  | 'wrongProvider'
  | 'unverifiedEmail'
  | 'unknownAccount'
  | 'noRights';

export class Refusal extends Error {
  readonly refusal: RefusalName;

  /** `message` is shown in the browser. */
  constructor(refusal: RefusalName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refusal';
    this.refusal = refusal;
  }
}
