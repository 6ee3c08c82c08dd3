/** Who makes a call by a session of the console, which takes the place of a signature. */
import type { KeyLimits } from '@millpond/protocol';

export interface CallSession {
  readonly id: string;
  /** The account that signed in. */
  readonly ownUid: bigint;
  /** The account that the call is made for: the same, or the one that an operator names. */
  readonly uid: bigint;
  /** 0 for a parent account. */
  readonly parentUid: bigint;
  /** Who signed in, by e-mail. */
  readonly name: string;
  /** What the audit log calls it: `console:<e-mail>`, for an operator with the account that it acts for. */
  readonly actor: string;
  readonly isOperator: boolean;
  /** The session has the rights of this key only. */
  readonly key?: AccessKey | undefined;
}

export interface AccessKey {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly uid: bigint;
  /** 0 for a key of a parent account. */
  readonly parentUid: bigint;
  readonly kind: 'root' | 'user';
  /** What its account requires of signatures. */
  readonly oldSigning: boolean;
  readonly dateRequired: boolean;
  /** Absent: it may do all its account may. */
  readonly limits: KeyLimits | undefined;
}
