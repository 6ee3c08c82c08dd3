/** What `millpond dev` says is off, and why. */
import { readConfig } from '@millpond/server';
import { expect, test } from 'vitest';
import { newMasterKey, sandboxFaults } from './settings.ts';

test('a sandbox that can’t be made is named with its reason and what to do', async () => {
  const database = 'postgres://localhost/none';
  const config = readConfig({
    MILLPOND_CONTROL_DB: database,
    MILLPOND_REGION_DB: database,
    MILLPOND_MASTER_KEY: newMasterKey(),
    MILLPOND_BLOBS: 'disk',
    MILLPOND_DISK_ROOT: '/tmp/none',
    MILLPOND_SANDBOX_ROOT: '/dev/null/sandbox',
  });
  const [first] = await sandboxFaults(config);
  expect(first).toMatchObject({ program: 'the sandbox', off: expect.stringContaining('images by URL') });
  expect(first?.reason).toContain('/dev/null/sandbox');
  expect(first?.remedy).not.toBe('');
});
