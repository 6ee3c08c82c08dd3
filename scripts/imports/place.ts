/** Where a file is: its package, and inside the server its layer and feature. Paths are from the root, with `/`. */
import { type PackageRow, packages, testFiles } from './table.ts';

const SERVER_SOURCE = 'packages/server/src/';

export interface Place {
  readonly file: string;
  readonly package: PackageRow | undefined;
  /** `main`, or the folder of packages/server/src; undefined elsewhere. */
  readonly layer: string | undefined;
  readonly feature: string | undefined;
  /** The folder inside the feature; undefined for files directly in the feature. */
  readonly room: string | undefined;
  readonly isTest: boolean;
}

export function placeOf(file: string): Place {
  const row = packages.find(({ folder }) => file.startsWith(`${folder}/`));
  const inServer = file.startsWith(SERVER_SOURCE) ? file.slice(SERVER_SOURCE.length).split('/') : undefined;
  const layer = inServer?.length === 1 ? 'main' : inServer?.[0];
  return {
    file,
    package: row,
    layer,
    feature: layer === 'features' ? inServer?.[1] : undefined,
    room: layer === 'features' && inServer !== undefined && inServer.length > 3 ? inServer[2] : undefined,
    isTest: testFiles.test(file),
  };
}
