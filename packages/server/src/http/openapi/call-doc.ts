/** What is written down of a call beside its route: words for people, shapes for programs. */
export interface CallDoc {
  readonly summary: string;
  /** With its parameters in braces, where the route has a `*`. */
  readonly path?: string;
  readonly query?: Fields;
  /** Fields of a form body. */
  readonly form?: Fields;
  /** Fields of a JSON body. */
  readonly json?: Fields;
  /** The body is the bytes themselves, or a form with a file. */
  readonly bytes?: 'raw' | 'form';
  /** What is answered; without it nothing. */
  readonly answer?: AnswerName;
  /** Default: a signature or an access token. */
  readonly credential?: 'key' | 'upload token' | 'url token' | 'none';
}

/** A name with `!` is required. */
export type Fields = Readonly<Record<string, string>>;

export type AnswerName =
  | 'ObjectRecord'
  | 'ObjectList'
  | 'ListLine'
  | 'BatchAnswer'
  | 'FetchResult'
  | 'UploadAnswer'
  | 'TaskRecord'
  | 'PersistentId'
  | 'AccountRecord'
  | 'TokenPair'
  | 'Json'
  | 'Bytes';

/** By the route's path, or by method and path where the methods of a path differ. */
export type CallDocs = Readonly<Record<string, CallDoc>>;
