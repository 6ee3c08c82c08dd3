/** The uploads of whoever is signed in, for as long as the page lives. */
import { useSyncExternalStore } from 'react';
import { useSession } from '../app/session-context.tsx';
import { notifyBucketChanged } from '../screens/objects/changes.ts';
import type { Upload } from './upload.ts';
import { Uploads } from './uploads.ts';

const byAccount = new Map<string, Uploads>();

export function useUploads(): { readonly uploads: Uploads; readonly list: readonly Upload[] } {
  const { client, uid, account } = useSession();
  const name = String(account ?? uid);
  const uploads = byAccount.get(name) ?? new Uploads(client, name, notifyBucketChanged);
  byAccount.set(name, uploads);
  const list = useSyncExternalStore(uploads.subscribe, uploads.list);
  return { uploads, list };
}
