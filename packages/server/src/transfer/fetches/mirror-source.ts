/** Where a bucket's missing files come from: how sources are given, and the URL of a key's file at a source. */
import { type OutboundClient, OutboundError } from '@millpond/outbound';
import { Fault, splitUrls } from '@millpond/protocol';
import type { MirrorSource } from '../../storage/buckets/index.ts';

const MAX_SOURCES = 10;

/** Throws `invalidArgument` for a URL that could never be requested. A denied address fails when requested, like any other. */
export function parseMirrorSource(
  outbound: Pick<OutboundClient, 'check'>,
  text: string,
  host: string | undefined,
): MirrorSource {
  const urls = splitUrls(text);
  if (urls.length > MAX_SOURCES)
    throw new Fault('invalidArgument', { hint: `a bucket may have at most ${MAX_SOURCES} mirror sources` });
  for (const url of urls) {
    checkUrl(outbound, url, host);
    if (/[?#]/.test(url))
      throw new Fault('invalidArgument', {
        hint: 'a mirror source must not have a query: keys are appended to it',
      });
  }
  return { urls, host: host ?? null };
}

/** Throws `invalidArgument` for a URL that could never be requested; a denied address fails when requested. */
export function checkUrl(
  outbound: Pick<OutboundClient, 'check'>,
  url: string,
  host: string | undefined,
): void {
  const fault = refusalOf(outbound, url, host);
  if (fault !== undefined && fault.blocked?.address === undefined)
    throw new Fault('invalidArgument', { hint: fault.detail });
}

/** Only for what no origin could be asked for: an origin that may not be asked fails like one that was. */
export function checkForm(
  outbound: Pick<OutboundClient, 'check'>,
  url: string,
  host: string | undefined,
): void {
  const fault = refusalOf(outbound, url, host);
  if (fault?.isMalformed) throw new Fault('invalidArgument', { hint: fault.detail });
}

function refusalOf(
  outbound: Pick<OutboundClient, 'check'>,
  url: string,
  host: string | undefined,
): OutboundError | undefined {
  try {
    outbound.check(url, host);
    return undefined;
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
}

/**
 * Undefined for a key that no URL can name: `.` and `..` as segments, in any spelling, would be normalized away, and a
 * client could walk out of the source's folder.
 */
export function originUrl(source: string, key: string): string | undefined {
  const segments = key.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) return undefined;
  const folder = source.endsWith('/') ? source : `${source}/`;
  return folder + segments.map(encodeURIComponent).join('/');
}
