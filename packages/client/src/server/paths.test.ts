import { expect, test } from 'vitest';
import type { Transport } from '../core/transport.ts';
import { Client } from './client.ts';
import { pathOf } from './paths.ts';

test('a name is one segment, whatever it has in it', () => {
  expect(pathOf`/v1/workflows/${'a/b?c#d %ü'}/run/${7}`).toBe(
    '/v1/workflows/a%2Fb%3Fc%23d%20%25%C3%BC/run/7',
  );
});

test('names in the paths of calls stay where they are', async () => {
  const asked: string[] = [];
  const transport: Transport = async ({ method, url }) => {
    asked.push(`${method} ${url}`);
    return {
      status: 200,
      header: () => undefined,
      text: async () => '{"items":[]}',
      chunks: async function* () {},
      discard: () => undefined,
    };
  };
  const client = new Client({ url: 'http://s', credentials: { accessKey: 'a', secretKey: 's' }, transport });
  await client.processing.removeWorkflow('../tasks?x');
  await client.processing.putStyle('b', 'small/er', 'c');
  await client.deliveries.get('1#2');
  await client.buckets.quota('a/b');
  await client.live.namespace('n/x');
  await client.live.devices('n').channel('d/e', 'c?');
  await client.live.streams('n/m').get('s/t');
  await client.buckets.bindDomain('d', 'a/b');
  await client.buckets.setMirror('a/b', ['http://o']);
  await client.giveUp('a?b', 'k', 'u/v');
  expect(asked).toEqual([
    'DELETE http://s/v1/workflows/..%2Ftasks%3Fx',
    'PUT http://s/v1/buckets/b/styles/small%2Fer',
    'GET http://s/v1/deliveries/1%232',
    'GET http://s/getbucketquota/a%2Fb',
    'GET http://s/v1/namespaces/n%2Fx',
    'GET http://s/v1/namespaces/n/devices/d%2Fe/channels/c%3F',
    'GET http://s/v1/namespaces/n%2Fm/streams/s%2Ft',
    'POST http://s/publish/ZA==/from/a%2Fb',
    'POST http://s/image/a%2Fb/from/aHR0cDovL28=',
    'DELETE http://s/buckets/a%3Fb/objects/aw==/uploads/u%2Fv',
  ]);
});
