/**
 * Writes what the pages consist of besides our own code, with the licences of all of it, as THIRD-PARTY-LICENSES.txt beside the pages: bundling leaves
 * no other trace of them. Each package begins with its name, version and licence; images list them by that (deploy/container/sbom.js).
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const FILE = 'THIRD-PARTY-LICENSES.txt';
const MODULES = `${path.sep}node_modules${path.sep}`;
const LICENCE = /^(?:licen[cs]e|copying|notice)/i;
/** In a package that contains others, of which nothing is in the pages. */
const OF_OTHERS = /^#+ Licenses of bundled dependencies/m;
/** Their code is in the pages without a file of theirs being imported: how chunks find each other. */
const WITHOUT_FILES = ['vite', 'rolldown'];

interface Described {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

export function thirdPartyLicences(): Plugin {
  return {
    name: 'third-party licences',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = new Set<string>();
      for (const output of Object.values(bundle))
        for (const file of output.type === 'chunk' ? output.moduleIds : output.originalFileNames)
          files.add(path.resolve(import.meta.dirname, '..', file));
      // Styles, which leave no chunk.
      for (const file of this.getModuleIds()) files.add(file);
      const folders = [...new Set([...files].flatMap((file) => packageOf(file) ?? []))];
      for (const name of WITHOUT_FILES)
        folders.push(path.join(import.meta.dirname, '../../../node_modules', name));
      const sections = new Map(folders.map((folder) => sectionOf(folder)));
      const source = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
      this.emitFile({ type: 'asset', fileName: FILE, source: source.join('\n') });
    },
  };
}

/** The folder of the package that a module is part of. Our own is in none. */
function packageOf(id: string): string | undefined {
  const file = id.replace(/^\0/, '').replace(/\?.*$/, '');
  const at = file.lastIndexOf(MODULES);
  if (at < 0) return undefined;
  const [scope = '', name = ''] = file.slice(at + MODULES.length).split(path.sep);
  return file.slice(0, at + MODULES.length) + (scope.startsWith('@') ? path.join(scope, name) : scope);
}

/** Its key, for order, and its text. A package without a licence is not to be shipped. */
function sectionOf(folder: string): [string, string] {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Described;
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .toSorted()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').split(OF_OTHERS)[0]?.trim());
  if (texts.length === 0 || license === undefined) throw new Error(`${folder} has no licence`);
  return [`${name} ${version}`, `=== ${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`];
}
