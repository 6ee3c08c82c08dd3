/** SIP as the cameras of GB/T 28181 speak it: messages, digest, transport and transactions. Knows nothing of devices. */
export { parameterOf, userOf } from './addresses.ts';
export { type Catalog, Catalogs } from './catalogs.ts';
export { ClientTransactions } from './client-transactions.ts';
export type { Dialog } from './dialog.ts';
export { isResponseOf, parseCredentials } from './digest.ts';
export { SipParseError } from './fault.ts';
export { type InviteOutcome, InviteTransactions } from './invite-transactions.ts';
export { type CatalogItem, type CatalogPart, catalogQuery, parseDeviceMessage } from './manscdp.ts';
export { headerOf, type SipMessage, type SipRequest, type SipResponse } from './message.ts';
export { Nonces } from './nonces.ts';
export type { Peer } from './peer.ts';
export { formatOffer, type MediaAnswer, type MediaTransport, parseMediaAnswer } from './sdp.ts';
export { ServerTransactions, transactionKey } from './server-transactions.ts';
export { openTransport, type Transport } from './transport.ts';
export { formatRequest, formatResponse, type OutgoingResponse } from './write.ts';
