/** The calls as an OpenAPI 3.1 document. Each call names the host of its role. */
import { eventTypes } from '../event-types.ts';
import {
  OBJECT_EVENT_MEDIA_TYPE,
  type ObjectEventName,
  objectEvents,
  objectEventType,
} from '../object-events.ts';
import { records, ref } from '../records/index.ts';
import { record, type Schema, text } from '../records/schema.ts';
import { type Body, type CallDescription, type Credential, type Parameter, pathParts } from './call.ts';

export interface ServerOfRole {
  readonly role: string;
  readonly url: string;
}

type Json = Record<string, unknown>;

const security: Readonly<Record<Credential, readonly Json[]>> = {
  management: [{ management: [] }],
  'management or token': [{ management: [] }, { accessToken: [] }],
  'upload token': [{ uploadToken: [] }],
  download: [{}, { downloadToken: [] }],
  'operator session': [{ consoleSession: [] }],
  none: [],
};

/** Statuses from here on are Qiniu's own; OpenAPI has no place for them. */
const OWN_STATUSES = 600;

export function openApiDocument(
  calls: readonly CallDescription[],
  version: string,
  servers: readonly ServerOfRole[],
): object {
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    for (const [index, method] of call.methods.entries()) {
      const id = index === 0 ? call.id : `${call.id}By${method}`;
      paths[call.path] = { ...paths[call.path], [method.toLowerCase()]: operation(call, id, servers) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millpond',
      version,
      description: 'Object storage, media processing, accounts and event callbacks.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(calls.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    webhooks: webhooks(),
    components: { schemas: records, securitySchemes },
  };
}

/** What Millpond sends by itself; the body of an upload callback is the policy's. */
function webhooks(): Json {
  const sent = { ...eventTypes, task: { about: 'A persistent task has ended', body: ref('Task') } };
  const ofObjects = Object.entries(objectEvents).map(([name, { about }]) => [
    objectEventType(name as ObjectEventName),
    webhook(about, ref('ObjectEvent'), OBJECT_EVENT_MEDIA_TYPE),
  ]);
  return Object.fromEntries([
    ...Object.entries(sent).map(([type, { about, body }]) => [type, webhook(about, body)]),
    ...ofObjects,
  ]);
}

function webhook(summary: string, schema: Schema, type = 'application/json'): Json {
  return {
    post: {
      summary,
      requestBody: { content: { [type]: { schema } } },
      responses: { '2XX': { description: 'received; anything else is sent again later' } },
    },
  };
}

const securitySchemes: Json = {
  management: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Svc <AccessKey>:<signature of the request>`',
  },
  consoleSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-millpond-session',
    description: 'of somebody who has signed in to the console and is an operator',
  },
  accessToken: { type: 'http', scheme: 'bearer', description: 'from `POST /oauth2/token`' },
  uploadToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`UpToken <token>`; in a form it is the field `token`',
  },
  downloadToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'for private buckets, together with `e`',
  },
};

function operation(call: CallDescription, operationId: string, servers: readonly ServerOfRole[]): Json {
  const own = servers
    .filter(({ role }) => role === call.role)
    .map(({ url }) => ({ url, description: `{${role(call)}}` }));
  return {
    operationId,
    summary: call.about,
    tags: [call.group],
    ...(own.length > 0 && { servers: own }),
    security: security[call.credential],
    parameters: [...pathParameters(call.path), ...(call.query ?? []).map((each) => parameter(each, 'query'))],
    ...(call.body && { requestBody: requestBody(call.body) }),
    responses: responses(call),
  };
}

function role(call: CallDescription): string {
  return `${call.role}_url`;
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter({ name, about: pathParts[name] ?? '', required: true }, 'path'),
  );
}

function parameter({ name, about, required, schema }: Parameter, place: 'path' | 'query'): Json {
  return { name, in: place, required: required ?? false, description: about, schema: schema ?? text };
}

function requestBody({ type, fields, schema }: Body): Json {
  return { required: true, content: { [type]: { schema: schema ?? schemaOf(fields ?? []) } } };
}

function schemaOf(fields: readonly Parameter[]): Schema {
  return record(
    Object.fromEntries(
      fields.map(({ name, about, required, schema }) => [
        required ? name : `${name}?`,
        { ...(schema ?? text), description: about },
      ]),
    ),
  );
}

function responses({ answer, faults, group }: CallDescription): Json {
  const error = { 'application/json': { schema: ref(group === 'Accounts' ? 'AccountError' : 'Error') } };
  const content = answer?.schema && {
    content: { [answer.type ?? 'application/json']: { schema: answer.schema } },
  };
  const all = Object.entries(faults ?? {});
  const others = all
    .filter(([status]) => Number(status) < OWN_STATUSES)
    .map(([status, description]) => [
      status,
      Number(status) < 400 ? { description } : { description, content: error },
    ]);
  const own = all.filter(([status]) => Number(status) >= OWN_STATUSES).map((fault) => fault.join(' '));
  return {
    [answer?.status ?? 200]: { description: answer?.about ?? 'done', ...content },
    ...Object.fromEntries(others),
    default: { description: ['an error; see the list of errors', ...own].join('; '), content: error },
  };
}
