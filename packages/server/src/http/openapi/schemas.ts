/** The shapes of answers. */
const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

const record = object(
  {
    fsize: whole,
    hash: text,
    mimeType: text,
    type: { type: 'integer', enum: [0, 1, 2, 3] },
    putTime: { type: 'integer', format: 'int64', description: 'units of 100 ns since 1970' },
    status: whole,
    restoreStatus: { type: 'integer', enum: [1, 2] },
    endUser: text,
    expiration: whole,
    'x-svc-meta': { type: 'object', additionalProperties: text },
  },
  ['fsize', 'hash', 'mimeType', 'type', 'putTime'],
);
const listed = { allOf: [{ $ref: '#/components/schemas/ObjectRecord' }, object({ key: text })] };
const code = {
  type: 'integer',
  enum: [0, 1, 2, 3],
  description: '0 done, 1 waiting, 2 processing, 3 failed',
};

export const schemas = {
  ObjectRecord: record,
  ObjectList: object(
    { items: { type: 'array', items: listed }, commonPrefixes: { type: 'array', items: text }, marker: text },
    ['items'],
  ),
  ListLine: object({ item: { oneOf: [listed, { type: 'null' }] }, dir: text, marker: text }),
  BatchAnswer: { type: 'array', items: object({ code: whole, data: { type: 'object' } }, ['code']) },
  FetchResult: object({ fsize: whole, hash: text, key: text, mimeType: text }),
  UploadAnswer: { type: 'object', properties: { hash: text, key: text, persistentId: text } },
  PersistentId: object({ persistentId: text }),
  TaskRecord: object(
    {
      id: text,
      code,
      desc: text,
      pipeline: text,
      reqid: text,
      inputBucket: text,
      inputKey: text,
      creationDate: text,
      type: whole,
      taskFrom: text,
      items: {
        type: 'array',
        items: object(
          {
            cmd: text,
            code,
            desc: text,
            error: text,
            errorIndex: text,
            hash: text,
            key: text,
            returnOld: whole,
          },
          ['cmd', 'code', 'desc', 'error', 'returnOld'],
        ),
      },
    },
    ['id', 'code', 'desc', 'pipeline', 'reqid', 'inputBucket', 'inputKey', 'creationDate', 'items'],
  ),
  AccountRecord: object({
    userid: text,
    uid: whole,
    parent_uid: whole,
    email: text,
    is_disabled: { type: 'boolean' },
  }),
  TokenPair: object({ access_token: text, expires_in: whole, refresh_token: text }),
  Json: {},
  Error: object(
    {
      error: text,
      hint: text,
      error_code: { ...whole, description: 'of account and token calls' },
      error_description: text,
    },
    ['error'],
  ),
} as const;
