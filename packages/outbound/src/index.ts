/** The guarded client: the only way to call a URL that a user gave. */
export type { AddressGuardOptions, Listener } from './address.ts';
export type { OutboundBody } from './body.ts';
export { createOutbound } from './client.ts';
export type { OutboundHeaders } from './exchange.ts';
export { type BlockedTarget, OutboundFault, type OutboundFaultKind } from './faults.ts';
export type {
  OpenAnswer,
  Outbound,
  OutboundAnswer,
  OutboundLimits,
  OutboundOptions,
  OutboundRequest,
} from './options.ts';
export type { Resolver } from './resolver.ts';
export type { Target } from './target.ts';
