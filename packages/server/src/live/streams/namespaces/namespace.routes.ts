/** Calls on namespaces and templates. */
import { jsonBody, type Route } from '../../../platform/web/index.ts';
import {
  parseCreate,
  parsePatch,
  type ResourceRoute,
  readListQuery,
} from '../../../platform/web/resources/index.ts';
import type { Streams } from '../streams/streams.ts';
import { namespaceFields, namespaceJson } from './namespace-fields.ts';
import type { Namespaces } from './namespaces.ts';
import { templateFields, templateJson } from './template-fields.ts';
import type { Templates } from './templates.ts';

export function namespaceRoutes(route: ResourceRoute, namespaces: Namespaces, streams: Streams): Route[] {
  const setDisabled = (path: string, isDisabled: boolean) =>
    route('POST', path, async ({ uid, name }) => {
      await namespaces.setDisabled(uid, name('ns'), isDisabled);
      if (isDisabled) await streams.kickAll(name('ns'));
      return undefined;
    });
  return [
    route('POST', '/namespaces', async ({ uid, context }) =>
      namespaceJson(await namespaces.create(uid, parseCreate(namespaceFields, jsonBody(context)))),
    ),
    route('GET', '/namespaces', async ({ uid, query }) => {
      const { rows, total } = await namespaces.page(uid, readListQuery(query), query.get('prefix') ?? '');
      return { items: rows.map(namespaceJson), total };
    }),
    route('GET', '/namespaces/:ns', async ({ uid, name }) =>
      namespaceJson(await namespaces.owned(uid, name('ns'))),
    ),
    route('PATCH', '/namespaces/:ns', async ({ uid, name, context }) =>
      namespaceJson(await namespaces.change(uid, name('ns'), parsePatch(namespaceFields, jsonBody(context)))),
    ),
    route('DELETE', '/namespaces/:ns', async ({ uid, name }) => {
      await namespaces.remove(uid, name('ns'));
      return undefined;
    }),
    setDisabled('/namespaces/:ns/enabled', false),
    setDisabled('/namespaces/:ns/disabled', true),
  ];
}

export function templateRoutes(route: ResourceRoute, templates: Templates): Route[] {
  return [
    route('POST', '/templates', async ({ uid, context }) =>
      templateJson(await templates.create(uid, parseCreate(templateFields, jsonBody(context)))),
    ),
    route('GET', '/templates', async ({ uid, query }) => {
      const { rows, total } = await templates.page(uid, readListQuery(query));
      return { items: rows.map(templateJson), total };
    }),
    route('GET', '/templates/:template', async ({ uid, name }) =>
      templateJson(await templates.owned(uid, name('template'))),
    ),
    route('PATCH', '/templates/:template', async ({ uid, name, context }) =>
      templateJson(
        await templates.change(uid, name('template'), parsePatch(templateFields, jsonBody(context))),
      ),
    ),
    route('DELETE', '/templates/:template', async ({ uid, name }) => {
      await templates.remove(uid, name('template'));
      return undefined;
    }),
  ];
}
