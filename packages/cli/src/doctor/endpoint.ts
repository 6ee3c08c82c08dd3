/**
 * Checks what stands between clients and the server: sends requests to the public address whose answers reveal a proxy
 * that changes anything. Needs no credential.
 */
import { type Diagnosis, diagnoseClock } from '@millpond/server';

const RESPONSE_TIMEOUT_MS = 10_000;
/** A task that no region has: the answer is 612, even without a credential. */
const NO_TASK = `?id=none.${'0'.repeat(40)}`;
const GUIDE = 'see deploy/nginx for a configuration that forwards everything';

interface ProbeResponse {
  readonly status: number;
  readonly date: string | null;
  readonly reqid: string | null;
  readonly body: string;
  /** The local clock, half-way between request and answer. */
  readonly at: number;
}

export async function diagnoseEndpoint(url: string): Promise<Diagnosis[]> {
  const check = `address ${url}`;
  const base = url.replace(/\/+$/, '');
  let plain: ProbeResponse;
  try {
    plain = await get(`${base}/status/get/prefop${NO_TASK}`);
  } catch (error) {
    const remedy =
      'check DNS, the proxy and its certificate; NODE_EXTRA_CA_CERTS names your own certificate authority';
    return [{ check, state: 'bad', said: `does not answer: ${reasonOf(error)}`, remedy }];
  }
  const doubled = await get(`${base}/status//get/prefop${NO_TASK}`).catch(() => undefined);
  return [checkStatus(check, plain), checkSlashes(check, plain, doubled), checkClock(check, plain)].flat();
}

function checkStatus(check: string, { status, body, reqid }: ProbeResponse): Diagnosis {
  if (status === 612 && reqid !== null) return { check, state: 'good', said: 'passes 612 on' };
  if (status === 612)
    return {
      check,
      state: 'bad',
      said: 'the header X-Reqid is removed from answers',
      remedy: `pass it on: requests are found in the log by it; ${GUIDE}`,
    };
  if (body.includes('HTTPS only'))
    return URL.parse(check.slice('address '.length))?.protocol === 'http:'
      ? { check, state: 'skipped', said: 'plain HTTP: statuses are checked over HTTPS only' }
      : {
          check,
          state: 'bad',
          said: 'the server takes HTTPS requests for plain HTTP',
          remedy: `have the proxy send X-Forwarded-Proto, and put its address in MILLPOND_TRUSTED_PROXIES; ${GUIDE}`,
        };
  return {
    check,
    state: 'bad',
    said: `answers ${status} where the server sends 612: a proxy rewrites statuses that it does not know`,
    remedy: `switch off its error pages (nginx: proxy_intercept_errors off), or use one that passes on 6xx and 579; ${GUIDE}`,
  };
}

/** With two slashes it is not one of our paths (404); if a proxy merges them into one, it is. */
function checkSlashes(check: string, plain: ProbeResponse, doubled: ProbeResponse | undefined): Diagnosis[] {
  if (doubled === undefined || doubled.status === 404) {
    const said = 'passes // on';
    return doubled === undefined ? [] : [{ check, state: 'good', said }];
  }
  const redirected = doubled.status >= 300 && doubled.status < 400;
  if (doubled.status !== plain.status && !redirected) return [];
  return [
    {
      check,
      state: 'bad',
      said: `${redirected ? 'redirects' : 'rewrites'} paths with //, which keys may contain and signatures cover`,
      remedy: `nginx: merge_slashes off, and proxy_pass without a path; ${GUIDE}`,
    },
  ];
}

function checkClock(check: string, { date, at }: ProbeResponse): Diagnosis[] {
  const time = Date.parse(date ?? '');
  // The header has whole seconds: on average it loses half a second.
  return Number.isNaN(time) ? [] : [diagnoseClock(`clock of ${check}`, time + 500 - at)];
}

async function get(url: string): Promise<ProbeResponse> {
  const before = Date.now();
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  const at = (before + Date.now()) / 2;
  const body = (await answer.text()).slice(0, 1000);
  const { status, headers } = answer;
  return { status, date: headers.get('date'), reqid: headers.get('x-reqid'), body, at };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : (error as Error).message;
}
