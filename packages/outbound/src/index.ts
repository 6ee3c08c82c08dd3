/** The guarded client: the only way to call a URL that a user gave. */
export type { AddressGuardOptions, ListenAddress } from './address.ts';
export type { OutboundBody } from './body.ts';
export { createOutboundClient } from './client.ts';
export type { OutboundHeaders } from './exchange.ts';
export { type BlockedTarget, OutboundError, type OutboundFaultKind } from './faults.ts';
export type {
  OutboundClient,
  OutboundClientLimits,
  OutboundClientOptions,
  OutboundRequest,
  OutboundResponse,
  StreamingResponse,
} from './options.ts';
export type { Resolver } from './resolver.ts';
export type { CheckedUrl } from './target.ts';
