/**
 * The headers of one try: both signatures, the number within the entity, and the identity of the event. A callback that
 * is sent again is signed as it was the first time; nothing else is ever signed in that form.
 */
import type { CheckedUrl } from '@millpond/outbound';
import {
  type AccessKeyPair,
  type Dialect,
  deliveryHeaderName,
  signCallback,
  signManagement,
  signWebhook,
} from '@millpond/protocol';
import { nodeHashing } from '../../../platform/hashing.ts';
import type { LoadedRow } from './delivery-queue.store.ts';

export interface Signing {
  /** Undefined if the account no longer has one. */
  readonly key: AccessKeyPair | undefined;
  readonly secrets: readonly string[];
  readonly dialect: Dialect;
}

export function eventHeaders(
  event: Omit<LoadedRow, 'urls' | 'access_key'>,
  to: Pick<CheckedUrl, 'host' | 'path'>,
  signing: Signing,
  timestamp: number,
): Record<string, string> {
  const { body, content_type: contentType } = event;
  const webhook = signWebhook(nodeHashing, signing.secrets, { id: event.delivery_id, timestamp, body });
  const own = event.kind === 'callback' ? {} : ownHeaders(event, signing.dialect);
  const authorization = authorize(event, to, own, signing);
  return {
    ...webhook,
    ...own,
    'content-type': contentType,
    'x-reqid': event.reqid,
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function ownHeaders(
  { delivery_id: id, entity, sequence }: Omit<LoadedRow, 'urls' | 'access_key'>,
  dialect: Dialect,
): Record<string, string> {
  return {
    [deliveryHeaderName(dialect)]: id,
    [`${dialect.headerPrefix}Sequence`]: String(sequence),
    ...(entity === null ? {} : { [`${dialect.headerPrefix}Entity`]: encodeURIComponent(entity) }),
  };
}

function authorize(
  { kind, content_type: contentType, body }: Omit<LoadedRow, 'urls' | 'access_key'>,
  to: Pick<CheckedUrl, 'host' | 'path'>,
  own: Readonly<Record<string, string>>,
  { key, dialect }: Signing,
): string | undefined {
  if (key === undefined) return undefined;
  if (kind === 'callback')
    return signCallback(nodeHashing, key, { target: to.path, contentType, body }, dialect);
  const headers = Object.entries(own);
  const request = { method: 'POST', target: to.path, host: to.host, contentType, headers, body };
  return signManagement(nodeHashing, key, request, dialect);
}
