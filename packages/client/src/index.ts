/** For applications that use Millpond: so far, for receivers of what it sends. */
export {
  type ReceivedRequest,
  type Verification,
  type Verified,
  verifyCallbackRequest,
  verifyEventRequest,
  verifyRequest,
  verifyWebhookRequest,
} from './verify.ts';
