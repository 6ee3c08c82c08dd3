/** Traces of requests: for an operator from the database, for a user from the API. */
import type { RequestTrace } from '@millpond/client/server';
import type { Sources } from './source.ts';

export interface RequestSource {
  get(reqid: string): Promise<RequestTrace>;
}

export const requestSources: Sources<RequestSource> = {
  operator: ({ requests }) => ({ get: (reqid) => requests.get(reqid, undefined) }),
  user: ({ requests }, signal) => ({ get: (reqid) => requests.get(reqid, { signal }) }),
};
