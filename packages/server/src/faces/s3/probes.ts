/**
 * What probes and scrapers made for MinIO ask of the S3 port. Its health checks are answered, since an operator who moves keeps
 * them; where the metrics are is said. Only who signs a request means a bucket called `minio`.
 */
import type { HttpResponse, RequestContext } from '../../platform/web/index.ts';

export interface ProbeDeps {
  readonly isReady: () => Promise<boolean>;
  /** Port of the listener with our own paths. */
  readonly adminPort: number;
}

const LIVE = '/minio/health/live';
const READY: ReadonlySet<string> = new Set([
  '/minio/health/ready',
  '/minio/health/cluster',
  '/minio/health/cluster/read',
]);
const METRICS = /^\/minio\/(?:prometheus\/metrics|v2\/metrics\/[a-z]+|metrics\/v3(?:\/[a-z/-]*)?)$/;
const BY_HEADER = /^AWS/;
const IN_QUERY = /(?:^|&)(?:X-Amz-)?Signature=/;

/** Undefined: it is none. */
export async function probeResponse(
  context: RequestContext,
  { isReady, adminPort }: ProbeDeps,
): Promise<HttpResponse | undefined> {
  const { method = '' } = context.request;
  const { path, query = '' } = context.target;
  const isSigned = BY_HEADER.test(context.header('authorization') ?? '') || IN_QUERY.test(query);
  if (isSigned || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const ours = `the listener of MILLPOND_ADMIN_LISTEN (port ${adminPort})`;
  if (path === LIVE) return said(200, `alive; Millpond’s own path is /healthz at ${ours}`);
  if (READY.has(path)) {
    const isGood = await isReady();
    return said(
      isGood ? 200 : 503,
      `${isGood ? 'ready' : 'not ready'}; Millpond’s own path is /readyz at ${ours}`,
    );
  }
  if (METRICS.test(path)) return said(404, `Millpond’s metrics are at /metrics of ${ours}`);
  return undefined;
}

function said(status: number, words: string): HttpResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: `${words}\n` };
}
