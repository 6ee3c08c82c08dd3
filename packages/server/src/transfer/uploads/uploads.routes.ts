/** Uploads, at the `up` host: by form, in parts (v2), in blocks (v1). Browsers upload from pages of any origin. */
import type { Route } from '../../platform/web/index.ts';
import type { Base64Uploads } from './base64-uploads.ts';
import type { FormUploads } from './form/form-uploads.ts';
import type { BlockUploads } from './resumable/block-uploads.ts';
import type { MultipartUploads } from './resumable/multipart-uploads.ts';

export interface Uploads {
  readonly forms: FormUploads;
  readonly parts: MultipartUploads;
  readonly blocks: BlockUploads;
  /** Only with the dialect of SDKs that upload so. */
  readonly base64: Base64Uploads | undefined;
}

const OBJECT = '/buckets/:bucket/objects/:key/uploads';

export function uploadRoutes({ forms, parts, blocks, base64 }: Uploads): Route[] {
  const route = (
    methods: Route['methods'],
    path: string,
    handle: Route['handle'],
    body?: 'stream',
  ): Route => ({
    role: 'up',
    methods,
    path,
    handle,
    cors: true,
    ...(body && { body }),
  });
  return [
    route(['POST'], '/', (call) => forms.upload(call), 'stream'),
    route(['POST'], OBJECT, (call) => parts.begin(call)),
    route(['GET'], `${OBJECT}/:upload`, (call) => parts.list(call)),
    route(['POST'], `${OBJECT}/:upload`, (call) => parts.complete(call)),
    route(['DELETE'], `${OBJECT}/:upload`, (call) => parts.abort(call)),
    route(['PUT'], `${OBJECT}/:upload/:number`, (call) => parts.putPart(call), 'stream'),
    route(['POST'], '/mkblk/*', (call) => blocks.mkblk(call), 'stream'),
    route(['POST'], '/bput/*', (call) => blocks.bput(call), 'stream'),
    route(['POST'], '/mkfile/*', (call) => blocks.mkfile(call)),
    ...(base64 === undefined
      ? []
      : [
          route(['POST'], '/putb64/*', (call) => base64.upload(call)),
          route(['POST'], '/rs-mkfile/*', (call) => blocks.rsMkfile(call)),
        ]),
  ];
}
