/** Where a file is: its package, and inside the server its layer, domain and feature. Paths are from the root, with `/`. */
import { domains, type PackageRow, packages, testFiles } from './table.ts';

const SERVER_SOURCE = 'packages/server/src/';

export interface FileLocation {
  readonly file: string;
  readonly package: PackageRow | undefined;
  /** `main`, `domains`, or the folder of packages/server/src; undefined elsewhere. */
  readonly layer: string | undefined;
  readonly domain: string | undefined;
  /** Undefined also for files directly in a domain. */
  readonly feature: string | undefined;
  /** The folder inside the feature; undefined for files directly in the feature. */
  readonly room: string | undefined;
  readonly isTest: boolean;
}

export function locateFile(file: string): FileLocation {
  const row = packages.find(({ folder }) => file.startsWith(`${folder}/`));
  const inServer = file.startsWith(SERVER_SOURCE) ? file.slice(SERVER_SOURCE.length).split('/') : undefined;
  const [first, second, third] = inServer?.length === 1 ? ['main'] : (inServer ?? []);
  const domain = domains.find((row) => row.domain === first)?.domain;
  const feature = domain !== undefined && inServer !== undefined && inServer.length > 2 ? second : undefined;
  return {
    file,
    package: row,
    layer: domain === undefined ? first : 'domains',
    domain,
    feature,
    room: feature !== undefined && inServer !== undefined && inServer.length > 3 ? third : undefined,
    isTest: testFiles.test(file),
  };
}
