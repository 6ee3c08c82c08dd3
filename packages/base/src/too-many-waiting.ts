export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';

  constructor() {
    super('too many are waiting');
  }
}
