/**
 * Queries for the hosts of a bucket's region. They need no credential, but are answered only to callers who know an access key of the
 * bucket's owner: names alone reveal nothing.
 */
import { Fault, showsBucket } from '@millpond/protocol';
import type { Keyring } from '../../../identity/accounts/index.ts';
import { jsonResponse, type Route } from '../../../platform/web/index.ts';
import { parametersOf } from '../buckets.parameters.ts';
import type { Buckets } from '../buckets.service.ts';
import type { RegionHosts } from './region-hosts.ts';
import type { Regions } from './regions.ts';

export interface RegionQueryDeps {
  readonly buckets: Buckets;
  readonly keyring: Keyring;
  readonly regions: Regions;
  readonly regionHosts: RegionHosts;
}

type Shape = 'queryV4' | 'queryV3' | 'queryV2' | 'queryV1';

export function regionQuery({ buckets, keyring, regions, regionHosts }: RegionQueryDeps) {
  return (path: string, shape: Shape): Route => ({
    role: 'uc',
    methods: ['GET', 'POST'],
    path,
    cors: true,
    async handle(context) {
      await context.readOpenBody();
      const parameters = parametersOf(context);
      const key = await keyring.find(parameters.get('ak') ?? '');
      const bucket = parameters.get('bucket') ?? '';
      if (key === undefined || !showsBucket(key.limits ?? {}, bucket)) throw new Fault('noSuchBucket');
      const { region } = await buckets.ownedInAnyRegion(key.uid, bucket);
      const of = region === regions.own ? regionHosts : await regions.hostsOf(region);
      const hosts = of[shape]({ host: context.host, secure: context.peer.secure }, bucket);
      return jsonResponse(hosts, of.isCacheable ? {} : { headers: { 'cache-control': 'no-store' } });
    },
  });
}
