export class TooManyWaitersError extends Error {
  override readonly name = 'TooManyWaitersError';

  constructor() {
    super('too many are waiting');
  }
}
