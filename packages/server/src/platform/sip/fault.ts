/** What is not a message that we read: the only thing that the parsers of this folder throw. */
export class SipFault extends Error {
  override readonly name = 'SipFault';
}
