/** Callbacks, deliveries and all other outbound traffic. */

import { optional, secret, withDefault } from '../setting-kinds.ts';
import { choice, integer, list, network, origin, size } from '../values.ts';

export const outbound = {
  outboundAllow: withDefault(
    'MILLPOND_OUTBOUND_ALLOW',
    list(network),
    '',
    'CIDR ranges of private addresses that callbacks and other requests to users’ URLs may reach; by default none.',
  ),
  outboundProxy: secret(
    optional(
      'MILLPOND_OUTBOUND_PROXY',
      origin('with credentials'),
      'CONNECT proxy for requests to users’ URLs; it must check addresses itself.',
    ),
  ),
  callbackSignedBody: optional(
    'MILLPOND_CALLBACK_SIGNED_BODY',
    choice('raw', 'base64url'),
    'What a callback’s signature covers of a form body: its bytes, or their URL-safe Base64; by default `base64url`, in the dialect `qiniu` `raw`.',
  ),
  deliverySlots: withDefault(
    'MILLPOND_DELIVERY_SLOTS',
    integer(8, 4096),
    '512',
    'Events that one sender sends at a time, to all receivers together.',
  ),
  deliveriesPerEndpoint: withDefault(
    'MILLPOND_DELIVERIES_PER_ENDPOINT',
    integer(1, 256),
    '32',
    'Of these, at most this many to one endpoint; an endpoint starts with two and gets more as it answers.',
  ),
  deliveryMemory: withDefault(
    'MILLPOND_DELIVERY_MEMORY',
    size,
    '64MiB',
    'Bodies of events that one sender holds in memory.',
  ),
} as const;
