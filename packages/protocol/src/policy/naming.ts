/**
 * The key of an upload: saveKey if it is forced; else the client's key; else saveKey; else the hash of the content. A
 * key field that is present but empty is a key: only a missing one lets the next in line decide.
 */
import { Fault } from '../errors/fault.ts';
import type { Template } from '../template/parse.ts';
import { renderTemplate, type TemplateValues } from '../template/render.ts';
import type { UploadPolicy } from './parse.ts';

export type UploadName =
  | { readonly from: 'client'; readonly key: string }
  | { readonly from: 'saveKey'; readonly saveKey: Template }
  | { readonly from: 'etag' };

type NamingRules = Pick<UploadPolicy, 'saveKey' | 'forceSaveKey' | 'keylimit'>;

export function chooseName(rules: NamingRules, clientKey: string | undefined): UploadName {
  const { saveKey, forceSaveKey, keylimit } = rules;
  if (forceSaveKey && saveKey !== undefined) return { from: 'saveKey', saveKey };
  if (clientKey !== undefined) return { from: 'client', key: clientKey };
  if (keylimit !== undefined) throw new Fault('scopeMismatch', { hint: 'the upload policy requires a key' });
  return saveKey === undefined ? { from: 'etag' } : { from: 'saveKey', saveKey };
}

/** A saveKey whose variables all lack a value names nothing, so the hash is next in line. */
export function finishName(name: UploadName, values: TemplateValues, etag: string): string {
  switch (name.from) {
    case 'client':
      return name.key;
    case 'saveKey':
      return renderTemplate(name.saveKey, values) || etag;
    case 'etag':
      return etag;
  }
}
