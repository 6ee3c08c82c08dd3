/** Builds downloads: objects, images made of them, mirrored files and signed playlists, for those allowed to read them. */
import type { BlobStore } from '@millpond/blobs';
import type { Dialect } from '@millpond/protocol';
import type { ExplainSignature, Keyring } from '../../identity/accounts/index.ts';
import type { Images } from '../../media/images/index.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import type { Objects } from '../../storage/objects/index.ts';
import type { Mirror } from '../fetches/index.ts';
import { downloadRoutes } from './downloads.routes.ts';
import { type DownloadDeps, Downloads } from './downloads.service.ts';
import { type PrivatePlaylistDeps, PrivatePlaylists } from './private-playlists.ts';

export interface CreateDownloadDeps {
  readonly keyring: Keyring;
  readonly explain: ExplainSignature;
  readonly buckets: Buckets;
  readonly tenants: PrivatePlaylistDeps['tenants'];
  readonly objects: Objects;
  readonly blobs: BlobStore;
  readonly mirror: Mirror;
  readonly images: Images;
  readonly dialect: Dialect;
  readonly rootAt: PrivatePlaylistDeps['rootAt'];
  /** Counts requests. */
  readonly onDownload: (bucket: Bucket) => void;
}

export function createDownloads(
  deps: CreateDownloadDeps,
  settings: Pick<DownloadDeps, 'sendBytes'>,
): Feature {
  const playlists = new PrivatePlaylists(deps);
  const downloads = new Downloads({ ...deps, playlists, sendBytes: settings.sendBytes });
  return { routes: downloadRoutes(downloads, deps.buckets), jobs: [], metrics: [] };
}
