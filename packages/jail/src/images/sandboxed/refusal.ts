/** Refused by our own rules, in a sentence for the user. Whatever else is thrown is what a decoder or an encoder says. */
export class ImageRejectedError extends Error {
  override readonly name = 'ImageRejectedError';
}
