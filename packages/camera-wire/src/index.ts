/**
 * What cameras and streamers speak: RTMP as a publisher speaks it, with FLV, whose tags are its messages; RTP, the media of a
 * session, received at a separate port and put in order; SIP as the cameras of GB/T 28181 speak it. Knows nothing of devices.
 */
export { FlvReader, type FlvTag } from './rtmp/flv-reader.ts';
export { publishRtmp, type RtmpPublisher } from './rtmp/publisher.ts';
export type { IntakeCounts } from './rtp/intake.ts';
export { MediaPorts } from './rtp/ports.ts';
export { openRtpReceiver, type RtpReceiver } from './rtp/receiver.ts';
export { parameterOf, userOf } from './sip/addresses.ts';
export { type Catalog, Catalogs } from './sip/catalogs.ts';
export { ClientTransactions } from './sip/client-transactions.ts';
export type { Dialog } from './sip/dialog.ts';
export { isResponseOf, parseCredentials } from './sip/digest.ts';
export { SipParseError } from './sip/fault.ts';
export { type InviteOutcome, InviteTransactions } from './sip/invite-transactions.ts';
export { type CatalogItem, type CatalogPart, catalogQuery, parseDeviceMessage } from './sip/manscdp.ts';
export { headerOf, type SipMessage, type SipRequest, type SipResponse } from './sip/message.ts';
export { Nonces } from './sip/nonces.ts';
export type { Peer } from './sip/peer.ts';
export { formatOffer, type MediaAnswer, type MediaTransport, parseMediaAnswer } from './sip/sdp.ts';
export { ServerTransactions, transactionKey } from './sip/server-transactions.ts';
export { openTransport, type Transport } from './sip/transport.ts';
export { formatRequest, formatResponse, type OutgoingResponse } from './sip/write.ts';
