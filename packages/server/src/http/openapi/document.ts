/**
 * The OpenAPI document of a server: every route that it answers, as it is mounted, with what is written down of it. Statuses above
 * 599 can't stand in OpenAPI, so refusals are one `default` answer.
 */
import type { Dialect } from '@millpond/protocol';
import type { Route } from '../../platform/web/index.ts';
import { apiDocs } from './api-docs.ts';
import { bucketDocs } from './bucket-docs.ts';
import type { CallDoc, Fields } from './call-doc.ts';
import { objectDocs } from './object-docs.ts';
import { schemas } from './schemas.ts';
import { uploadDocs } from './upload-docs.ts';

type DescribedRoute = Pick<Route, 'role' | 'methods' | 'path'>;

const docs = { ...objectDocs, ...bucketDocs, ...uploadDocs, ...apiDocs };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

/** Undefined: nothing is written down of it. */
export function docOf(method: string, path: string): CallDoc | undefined {
  return docs[`${method} ${path}`] ?? docs[path];
}

export function openApiDocument(routes: readonly DescribedRoute[], dialect: Dialect): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { role, methods, path } of routes) {
    // Downloads by host are the same call at another host.
    if (path.startsWith('/~')) continue;
    for (const method of methods) {
      if (method === 'OPTIONS' || method === 'HEAD') continue;
      const doc = docOf(method, path) ?? { summary: `${method} ${path}`, answer: 'Json' };
      const template = (doc.path ?? path).replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
      paths[template] = {
        ...paths[template],
        [method.toLowerCase()]: operation(role, method, template, doc),
      };
    }
  }
  const { scheme } = dialect;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millpond',
      version: '1',
      description: `Object storage, media processing, accounts and events. Encoded… parameters are URL-safe Base64. Calls carry \`Authorization: ${scheme} <access key>:<signature>\`.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ role }) => role))].map((name) => ({
      name,
      description: `the ${name} host`,
    })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: `${scheme} <access key>:<signature>`,
        },
        accessToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: `${scheme} <access token>`,
        },
        uploadToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'UpToken <upload token>',
        },
        urlToken: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description: 'with e, the end of its validity',
        },
      },
    },
  };
}

function operation(role: string, method: string, template: string, doc: CallDoc): object {
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }));
  const inQuery = fieldsOf(doc.query).map(({ name, required, description }) => ({
    name,
    in: 'query',
    required,
    description,
    schema: text,
  }));
  const body = method === 'GET' || method === 'DELETE' ? undefined : bodyOf(doc);
  return {
    operationId: `${method.toLowerCase()} ${template}`.replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) =>
      next.toUpperCase(),
    ),
    tags: [role],
    summary: doc.summary,
    parameters: [...inPath, ...inQuery],
    ...(body === undefined ? {} : { requestBody: { content: body } }),
    responses: {
      200: answerOf(doc),
      default: {
        description: 'Refused, or failed',
        content: { 'application/json': { schema: ref('Error') } },
      },
    },
    security: securityOf(doc),
  };
}

function answerOf({ answer }: CallDoc): object {
  if (answer === undefined) return { description: 'Done' };
  if (answer === 'Bytes') return { description: 'The content', content: { '*/*': {} } };
  const type = answer === 'ListLine' ? 'application/x-ndjson' : 'application/json';
  return { description: 'Done', content: { [type]: { schema: ref(answer) } } };
}

function bodyOf({ form, json, bytes }: CallDoc): object | undefined {
  if (bytes === 'raw') return { 'application/octet-stream': {} };
  if (bytes === 'form') return { 'multipart/form-data': { schema: shapeOf(form) } };
  if (json !== undefined)
    return { 'application/json': Object.keys(json).length === 0 ? {} : { schema: shapeOf(json) } };
  return form && { 'application/x-www-form-urlencoded': { schema: shapeOf(form) } };
}

function shapeOf(fields: Fields | undefined): object {
  const all = fieldsOf(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, description }) => [name, { description }])),
    required: all.filter(({ required }) => required).map(({ name }) => name),
  };
}

function fieldsOf(fields: Fields = {}): { name: string; required: boolean; description: string }[] {
  return Object.entries(fields).map(([name, description]) => ({
    name: name.replace(/!$/, ''),
    required: name.endsWith('!'),
    description,
  }));
}

const credentials: Readonly<Record<NonNullable<CallDoc['credential']>, readonly object[]>> = {
  none: [],
  key: [{ signature: [] }],
  'upload token': [{ uploadToken: [] }],
  'url token': [{ urlToken: [] }, {}],
};

function securityOf({ credential }: CallDoc): readonly object[] {
  return credential === undefined ? [{ signature: [] }, { accessToken: [] }] : credentials[credential];
}
