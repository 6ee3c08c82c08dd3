/** Values of the magic variables that derive from names and times. */
import { extensionOf, extensionOfMime } from '../mime/extensions.ts';
import { essenceOf } from '../mime/type.ts';
import type { TemplateValues } from './render.ts';

export interface UploadNames {
  /** The file name that the client sent, if any. */
  readonly fname?: string | undefined;
  readonly key?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** `fname`, `ext`, `suffix`, `fprefix`, `key`, `keybase`, `mimeType`. Without a file name the first four have no value. */
export function nameValues({ fname, key, mimeType }: UploadNames): TemplateValues {
  const ext = fname === undefined ? undefined : dotted(extensionOf(fname) || extensionOfType(mimeType));
  return {
    fname,
    ext,
    suffix: ext,
    fprefix: withoutExtension(fname),
    key,
    keybase: withoutExtension(key),
    mimeType,
  };
}

/** `year` to `sec` of a moment, in a zone given as minutes east of Greenwich. */
export function timeValues(unixSeconds: number, zoneMinutes = 0): TemplateValues {
  const local = new Date((unixSeconds + zoneMinutes * 60) * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    year: String(local.getUTCFullYear()).padStart(4, '0'),
    mon: two(local.getUTCMonth() + 1),
    day: two(local.getUTCDate()),
    hour: two(local.getUTCHours()),
    min: two(local.getUTCMinutes()),
    sec: two(local.getUTCSeconds()),
  };
}

function extensionOfType(mimeType: string | undefined): string {
  return (mimeType === undefined ? undefined : extensionOfMime(essenceOf(mimeType))) ?? '';
}

function dotted(extension: string): string {
  return extension === '' ? '' : `.${extension}`;
}

function withoutExtension(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const extension = extensionOf(name);
  return extension === '' ? name : name.slice(0, -extension.length - 1);
}
