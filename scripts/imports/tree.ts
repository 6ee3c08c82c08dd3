/** Reads every source file of the repository. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const SOURCE = /\.[cm]?[jt]sx?$/;
const LEFT_OUT = /^(?:node_modules|dist|coverage|\..*)$/;

export async function readTree(root: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const at = path.posix.join(folder, entry.name);
      if (LEFT_OUT.test(entry.name)) continue;
      if (entry.isDirectory()) await visit(at);
      else if (entry.isFile() && SOURCE.test(entry.name))
        files.set(at, await readFile(path.join(root, at), 'utf8'));
    }
  };
  await visit('');
  return files;
}
