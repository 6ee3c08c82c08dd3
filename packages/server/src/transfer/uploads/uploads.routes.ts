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
    route(['POST'], '/', (context) => forms.upload(context), 'stream'),
    route(['POST'], OBJECT, (context) => parts.begin(context)),
    route(['GET'], `${OBJECT}/:upload`, (context) => parts.list(context)),
    route(['POST'], `${OBJECT}/:upload`, (context) => parts.complete(context)),
    route(['DELETE'], `${OBJECT}/:upload`, (context) => parts.abort(context)),
    route(['PUT'], `${OBJECT}/:upload/:number`, (context) => parts.putPart(context), 'stream'),
    route(['POST'], '/mkblk/*', (context) => blocks.mkblk(context), 'stream'),
    route(['POST'], '/bput/*', (context) => blocks.bput(context), 'stream'),
    route(['POST'], '/mkfile/*', (context) => blocks.mkfile(context)),
    ...(base64 === undefined
      ? []
      : [
          route(['POST'], '/putb64/*', (context) => base64.upload(context)),
          route(['POST'], '/rs-mkfile/*', (context) => blocks.rsMkfile(context)),
        ]),
  ];
}
