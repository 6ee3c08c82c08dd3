/** What an engine tells, in the words of every engine. Each adapter is one pure function from its hooks to these. */

/** A publisher at an engine: its number there, and the life of the engine's process in which it has that number. */
export interface SessionKey {
  readonly boot: string;
  readonly client: string;
}

export type Fact =
  /** Somebody wants to publish, and shows these arguments. The engine waits for the answer. */
  | (SessionKey & {
      readonly kind: 'publish';
      readonly name: string;
      readonly address: string;
      readonly proof: PublishProof;
    })
  /** What nobody may: to publish without a name, or to play from the engine itself. */
  | { readonly kind: 'refused' }
  /** Still publishing. The engine takes a refusal as the order to end it. */
  | (SessionKey & { readonly kind: 'alive'; readonly name: string; readonly address: string })
  | (SessionKey & { readonly kind: 'gone' })
  | {
      readonly kind: 'recorded';
      readonly name: string;
      /** Without its folder. */
      readonly file: string;
      readonly recordType: 1 | 2;
    };

/** What a publisher shows: the stream's key, or a token with its end. */
export interface PublishProof {
  readonly key: string;
  readonly end: string;
  readonly token: string;
}

export interface Hook {
  /** Which life of the engine's process tells it. */
  readonly boot: string;
  readonly body: Buffer;
}

export interface HookAdapter {
  /** Undefined: it tells nothing that matters here. */
  factOf(hook: Hook): Fact | undefined;
  /** The status by which the engine is told yes or no. */
  statusOf(isAccepted: boolean): number;
}
