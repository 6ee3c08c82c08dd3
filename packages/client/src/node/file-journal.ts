/**
 * Uploads that were begun, in a folder of small files: one for each, named by a hash, written to a temporary file and
 * renamed, so that a crash leaves the old one or the new one and two processes don't disturb each other.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Journal, parseUnfinishedUpload } from '../uploads/journal.ts';
import { makeFolder } from './make-folder.ts';

export function fileJournal(folder: string): Journal {
  const fileOf = (id: string) => path.join(folder, `${createHash('sha256').update(id).digest('hex')}.json`);
  return {
    async get(id) {
      const text = await readFile(fileOf(id), 'utf8').catch(() => undefined);
      return text === undefined ? undefined : parseUnfinishedUpload(text);
    },
    async set(id, upload) {
      await makeFolder(folder, 0o700);
      const beside = path.join(folder, `${randomUUID()}.tmp`);
      await writeFile(beside, JSON.stringify(upload), { mode: 0o600 });
      await rename(beside, fileOf(id));
    },
    async remove(id) {
      await rm(fileOf(id), { force: true });
    },
  };
}
