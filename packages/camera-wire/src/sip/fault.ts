/** Input that is not a message we read: the only error that the parsers of this folder throw. */
export class SipParseError extends Error {
  override readonly name = 'SipParseError';
}
