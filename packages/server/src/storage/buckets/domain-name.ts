/** Host names that may be bound to a bucket: real names that are not our own. */
import { decodeBase64, decodeUtf8 } from '@millpond/protocol';
import { invalidBodyFault } from './parse-json-body.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** Names that resolve to nothing outside one machine or network, or that the web reserves. */
const NOWHERE = /(?:^|\.)(?:localhost|local|internal|arpa|onion|invalid)$/;

export interface OwnHosts {
  /** Lower case; ports are ignored. */
  readonly hosts: readonly string[];
  readonly downloadSuffix?: string | undefined;
}

export function decodeDomain(encoded: string): string {
  return parseDomain(decodeUtf8(decodeBase64(encoded)) ?? '');
}

/** Lower case: names are case-insensitive. */
export function parseDomain(given: string): string {
  const text = given.toLowerCase();
  const labels = text.split('.');
  const isName = text.length <= 253 && labels.length >= 2 && labels.every((label) => LABEL.test(label));
  // If the last label is a number, browsers read the name as an address.
  if (!isName || /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') || NOWHERE.test(text))
    throw invalidBodyFault(
      'a domain must be a host name such as files.example.com, in ASCII, without a port',
    );
  return text;
}

/**
 * Whether a name is ours: a configured host, the download suffix, or anything below or above them. Below them, a
 * tenant's page could set cookies for our hosts' siblings; above them, it would be its own parent site.
 */
export function isOwnHost(domain: string, { hosts, downloadSuffix = '' }: OwnHosts): boolean {
  const names = [...hosts, downloadSuffix].map((host) => host.toLowerCase().replace(/:\d+$/, ''));
  return names
    .filter((name) => name !== '')
    .some((own) => own === domain || domain.endsWith(`.${own}`) || own.endsWith(`.${domain}`));
}
