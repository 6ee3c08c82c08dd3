/** Refused by our own rules, in a sentence for the user. Whatever else is thrown is what a decoder or an encoder says. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}
