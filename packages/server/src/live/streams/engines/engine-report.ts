/** What an engine reports, in terms common to all engines. Each adapter is one pure function from its hooks to these. */

/** A publisher at an engine: its number there, and the engine process in which it has that number. */
export interface SessionKey {
  readonly boot: string;
  readonly client: string;
}

export type EngineReport =
  /** A client wants to publish, and sends these arguments. The engine waits for the answer. */
  | (SessionKey & {
      readonly kind: 'publish';
      readonly name: string;
      readonly address: string;
      readonly proof: PublishProof;
    })
  /** Never allowed: publishing without a name, or playing directly from the engine. */
  | { readonly kind: 'refused' }
  /** Still publishing. The engine ends the publisher if it is refused. */
  | (SessionKey & { readonly kind: 'alive'; readonly name: string; readonly address: string })
  | (SessionKey & { readonly kind: 'gone' })
  | {
      readonly kind: 'recorded';
      readonly name: string;
      /** Without the folder. */
      readonly file: string;
      readonly recordType: 1 | 2;
    };

/** What a publisher presents: the stream's key, or a token with its expiry. */
export interface PublishProof {
  readonly key: string;
  readonly end: string;
  readonly token: string;
}

export interface Hook {
  /** Which process of the engine sent it. */
  readonly boot: string;
  readonly body: Buffer;
}

export interface HookAdapter {
  /** Undefined: nothing in it matters here. */
  parse(hook: Hook): EngineReport | undefined;
  /** The status that tells the engine yes or no. */
  toStatus(isAccepted: boolean): number;
}
