/** Somebody with a bucket, for tests of what is in it. */
import type { Client } from '@millpond/client/server';
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, expect } from 'vitest';
import type { Person } from '../accounts/accounts.ts';
import { createParent } from '../accounts/operator.ts';
import { sdkClient } from '../running/sdk.ts';
import { target } from '../target.ts';
import { hasBrowser } from './browser.ts';

export interface ObjectsFixture {
  readonly person: Person;
  readonly bucket: string;
  readonly client: Client;
  readonly put: (key: string, content: Uint8Array<ArrayBuffer> | string, mimeType?: string) => Promise<void>;
}

/** Made before the tests of the file, if there is a browser for them. */
export function useObjects(
  name: string,
  fill: (place: ObjectsFixture) => Promise<void>,
): () => ObjectsFixture {
  const bucket = `${name}-${Date.now().toString(36)}`;
  let made: ObjectsFixture | undefined;
  beforeAll(async () => {
    if (!hasBrowser) return;
    const person = await createParent();
    await createBucket(target.url, person, bucket);
    made = {
      person,
      bucket,
      client: sdkClient({ credentials: person }),
      async put(key, content, mimeType) {
        const token = uploadToken(person, { scope: `${bucket}:${key}` });
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        const type = mimeType === undefined ? {} : { mimeType };
        expect((await uploadForm(target.url, bytes, { token, key, ...type })).status).toBe(200);
      },
    };
    await fill(made);
  });
  return () => {
    if (made === undefined) throw new Error('there is no browser');
    return made;
  };
}
