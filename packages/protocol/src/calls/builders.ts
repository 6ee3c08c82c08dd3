/** Building blocks for descriptions of calls. */

import { type RecordName, ref } from '../records/index.ts';
import { integer, listOf, record, type Schema, text } from '../records/schema.ts';
import type { Body, CallDescription, Content, Credential, Parameter } from './call.ts';

export const FORM = 'application/x-www-form-urlencoded';

export function needed(name: string, about: string, schema?: Schema): Parameter {
  return { name, about, required: true, ...(schema && { schema }) };
}

export function may(name: string, about: string, schema?: Schema): Parameter {
  return { name, about, ...(schema && { schema }) };
}

export function form(...fields: Parameter[]): Body {
  return { type: FORM, fields };
}

export function json(schema: Schema): Body {
  return { type: 'application/json', schema };
}

export function answers(schema: Schema, about?: string): Content {
  return { schema, ...(about !== undefined && { about }) };
}

/** `{items, marker}`; no marker on the last page. */
export function pageOf(name: RecordName): Content {
  return answers(record({ items: listOf(ref(name)), 'marker?': text }));
}

export const limit = (most: number): Parameter => may('limit', `from 1 to ${most}`, integer);
export const marker = may('marker', 'where the last page ended');
export const bucketField = needed('bucket', 'name of the bucket');

type Rest = Partial<Omit<CallDescription, 'id' | 'about' | 'route' | 'path' | 'methods' | 'role' | 'group'>>;

/** Describes calls of one group at one host; `target` is `POST /chgm/{EncodedEntryURI}`, with `GET|POST` for several. */
export function group(name: string, role: string, credential: Credential) {
  return (
    id: string,
    target: string,
    about: string,
    rest: Rest & { readonly route?: string } = {},
  ): CallDescription => {
    const [methods = '', path = ''] = target.split(' ');
    return {
      id,
      group: name,
      role,
      methods: methods.split('|'),
      path,
      route: routeOf(path),
      about,
      credential,
      ...rest,
    };
  };
}

/** Resources under `/v1/` are routed by name; the older calls by their first word. */
function routeOf(path: string): string {
  if (path.startsWith('/v1/')) return path.replace(/\{(\w+)\}/g, ':$1');
  const begin = path.indexOf('/{');
  return begin === -1 ? path : `${path.slice(0, begin)}/*`;
}
