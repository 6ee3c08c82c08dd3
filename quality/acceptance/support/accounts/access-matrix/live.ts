/** Live streams, devices, and what engines ask. */
import { ADMINISTERS, BAD, everyone, header, OPEN, ofAccount, type Row, row, same } from './row.ts';

const [NO_NAMESPACE, NO_TEMPLATE] = ['612 no such namespace', '612 no such template'];
const LIVE_BODY = '{"streamId":"s","files":[],"operations":[{"op":"replace","key":"desc","value":""}]}';

export const liveRows: readonly Row[] = [
  ...(
    [
      ['POST', '/namespaces', '400 invalid argument'],
      ['GET', '/namespaces', '200'],
      ...['GET', 'PATCH', 'DELETE'].map((method) => [method, '/namespaces/:ns', NO_NAMESPACE] as const),
      ...['enabled', 'disabled'].map((word) => ['POST', `/namespaces/:ns/${word}`, NO_NAMESPACE] as const),
      ...['POST', 'GET'].map((method) => [method, '/namespaces/:ns/streams', NO_NAMESPACE] as const),
      ...['GET', 'PATCH', 'DELETE'].map(
        (method) => [method, '/namespaces/:ns/streams/:stream', NO_NAMESPACE] as const,
      ),
      ...['enabled', 'disabled', 'stop', 'key', 'urls', 'snap', 'record/start', 'record/stop'].map(
        (word) => ['POST', `/namespaces/:ns/streams/:stream/${word}`, NO_NAMESPACE] as const,
      ),
      ...['pubhistories', 'figures', 'recordhistories', 'snapshots', 'records/playback.m3u8'].map(
        (word) => ['GET', `/namespaces/:ns/streams/:stream/${word}`, NO_NAMESPACE] as const,
      ),
      ...['recordhistories', 'snapshots'].map(
        (word) => ['DELETE', `/namespaces/:ns/streams/:stream/${word}`, NO_NAMESPACE] as const,
      ),
      ...['POST', 'GET'].map((method) => [method, '/namespaces/:ns/devices', NO_NAMESPACE] as const),
      ...['GET', 'PATCH', 'DELETE'].map(
        (method) => [method, '/namespaces/:ns/devices/:gbid', NO_NAMESPACE] as const,
      ),
      ...['start', 'stop', 'catalog/fetch'].map(
        (word) => ['POST', `/namespaces/:ns/devices/:gbid/${word}`, NO_NAMESPACE] as const,
      ),
      ['GET', '/namespaces/:ns/devices/:gbid/channels', NO_NAMESPACE],
      ...['GET', 'DELETE'].map(
        (method) => [method, '/namespaces/:ns/devices/:gbid/channels/:channel', NO_NAMESPACE] as const,
      ),
      ['POST', '/templates', '400 invalid argument'],
      ['GET', '/templates', '200'],
      ...['GET', 'PATCH', 'DELETE'].map((method) => [method, '/templates/:template', NO_TEMPLATE] as const),
    ] as const
  ).map(([method, path, own]) =>
    row(
      `live ${method} /v1${path}`,
      ofAccount(method, `/v1${path.replaceAll(/:\w+/g, 'nosuchlivexx')}`, LIVE_BODY),
      everyone(own),
      ADMINISTERS,
    ),
  ),
  // A token of the stream itself, and the secret of an engine: no credential of an account counts.
  row(
    'live GET /v1/play/:ns/:stream/:file',
    header('nothing', () => ({ target: '/v1/play/nosuchlivexx/s/index.m3u8' })),
    same(BAD),
    OPEN,
  ),
  row(
    'live POST /v1/hooks/:engine',
    header('nothing', () => ({ target: '/v1/hooks/main' })),
    same(BAD),
    OPEN,
  ),
];
