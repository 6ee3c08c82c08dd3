/** The description of what a server answers, made of its own routes and served at the `api` host. */
import type { Dialect } from '@millpond/protocol';
import { jsonAnswer, type Route } from '../../platform/web/index.ts';
import { openApiDocument } from './document.ts';

/** The routes, and the one that describes them all. */
export function withOpenApi(routes: readonly Route[], dialect: Dialect): Route[] {
  const all: Route[] = [
    ...routes,
    {
      role: 'api',
      methods: ['GET'],
      path: '/openapi.json',
      cors: true,
      handle: () => answer,
    },
  ];
  const answer = jsonAnswer(openApiDocument(all, dialect), { headers: { 'cache-control': 'max-age=300' } });
  return all;
}
