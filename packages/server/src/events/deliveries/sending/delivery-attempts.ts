/** One try of one event: signed, sent, and its answer judged by its status. Never throws. */
import { type OutboundBody, type OutboundClient, OutboundError } from '@millpond/outbound';
import type { Dialect } from '@millpond/protocol';
import type { SigningKeys, WebhookSecrets } from '../../../identity/accounts/index.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../limits.ts';
import type { Attempt } from '../deliveries.store.ts';
import { parseRetryAfter } from '../retry-schedule.ts';
import { type StoredHeaders, storedRequestHeaders, storedResponseHeaders } from '../stored-headers.ts';
import type { LoadedRow } from './delivery-queue.store.ts';
import { eventHeaders } from './event-headers.ts';

export interface AttemptDeps {
  readonly outbound: OutboundClient;
  readonly secrets: WebhookSecrets;
  readonly keys: SigningKeys;
  readonly dialect: Dialect;
}

export interface AttemptResult {
  readonly attempt: Attempt;
  /** Milliseconds, if the receiver asked for a wait. */
  readonly retryAfter: number | undefined;
}

const KEPT_ANSWER_BYTES = 16 * 1024;
const LIMITS = {
  connectMs: 3000,
  headersMs: ATTEMPT_TIMEOUT_MS,
  idleMs: ATTEMPT_TIMEOUT_MS,
  totalMs: ATTEMPT_TIMEOUT_MS,
  // The rest of an answer is not read, however long it is.
  maxBodyBytes: Number.MAX_SAFE_INTEGER,
  maxHeaderBytes: 16 * 1024,
};

export async function attemptOnce(
  deps: AttemptDeps,
  event: LoadedRow,
  to: { readonly url: string; readonly uid: bigint; readonly tenant: bigint },
): Promise<AttemptResult> {
  const begun = performance.now();
  const nothing = { status: undefined, answerHeaders: undefined, response: undefined, error: undefined };
  let requestHeaders: StoredHeaders | undefined;
  const elapsed = () => Math.round(performance.now() - begun);
  try {
    const answer = await deps.outbound.open({
      url: to.url,
      method: 'POST',
      headers: await headersOf(deps, event, to),
      body: event.body,
      hostOverride: event.host ?? undefined,
      party: to.tenant,
      acceptUnsized: true,
      limits: LIMITS,
      onHead: (headers) => {
        requestHeaders = storedRequestHeaders(headers);
      },
    });
    const response = await firstBytes(answer.body);
    const { status } = answer;
    const error = status >= 200 && status < 300 ? undefined : `status ${status}`;
    const asked = answer.headers['retry-after'];
    const answerHeaders = storedResponseHeaders(answer.headers);
    return {
      attempt: {
        url: to.url,
        requestHeaders,
        answerHeaders,
        status,
        response,
        error,
        durationMs: elapsed(),
      },
      retryAfter: parseRetryAfter(typeof asked === 'string' ? asked : undefined, Date.now()),
    };
  } catch (error) {
    const words = error instanceof OutboundError ? error.detail : 'it could not be signed';
    return {
      attempt: { ...nothing, url: to.url, requestHeaders, error: words, durationMs: elapsed() },
      retryAfter: undefined,
    };
  }
}

async function headersOf(
  { outbound, secrets, keys, dialect }: AttemptDeps,
  event: LoadedRow,
  { url, uid }: { readonly url: string; readonly uid: bigint },
): Promise<Record<string, string>> {
  const target = outbound.check(url, event.host ?? undefined);
  const host = event.host ?? target.host;
  const signing = {
    key: await keys.of(uid, event.access_key ?? undefined),
    secrets: await secrets.of(uid),
    dialect,
  };
  return eventHeaders(event, { host, path: target.path }, signing, Math.floor(Date.now() / 1000));
}

/** The status says all that counts: a truncated answer is kept as far as it came. */
async function firstBytes(body: OutboundBody): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece.subarray(0, KEPT_ANSWER_BYTES - size));
      size += piece.length;
      if (size >= KEPT_ANSWER_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  }
  return Buffer.concat(pieces);
}
