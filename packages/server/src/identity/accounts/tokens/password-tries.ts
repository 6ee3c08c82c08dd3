/**
 * Bounds guesses at passwords, and locks no owner out: wrong ones are counted for an e-mail and the network that they come from, and,
 * far above that, for an e-mail over all networks. A network from which the right password came is not held to the second count.
 */
import { copyString, type Rate, RateLimiter } from '@millpond/base';
import { foldEmail } from '@millpond/protocol';

export interface PasswordTryRates {
  readonly passwordTriesPerEmail: Rate;
  readonly passwordTriesPerAccount: Rate;
}

/** One try under way. It counts as wrong until something else is said of it. */
export interface PasswordTry {
  wasRight(): void;
  /** The password was not compared. */
  wasNotJudged(): void;
}

/** No e-mail is longer; what is kept must be bounded. */
const MAX_EMAIL_LENGTH = 255;
/** Beyond them, those whose last right password is the longest ago are forgotten. */
const MAX_VERIFIED = 50_000;

export class PasswordTries {
  readonly #perNetwork: RateLimiter;
  readonly #overAll: RateLimiter;
  readonly #proven = new Set<string>();

  constructor(rates: PasswordTryRates, now?: () => number) {
    this.#perNetwork = new RateLimiter(rates.passwordTriesPerEmail, 'failedRequest', now);
    this.#overAll = new RateLimiter(rates.passwordTriesPerAccount, 'failedRequest', now);
  }

  /** Counted before the password is compared, or many at once would go uncounted. Throws if there were too many. */
  begin(email: string, network: string): PasswordTry {
    const account = foldEmail(email).slice(0, MAX_EMAIL_LENGTH);
    const pair = `${account} ${network}`;
    const isProven = this.#proven.has(pair);
    this.#perNetwork.take(pair);
    if (!isProven) this.#overAll.take(account);
    const giveBack = () => {
      this.#perNetwork.giveBack(pair);
      if (!isProven) this.#overAll.giveBack(account);
    };
    return {
      wasRight: () => {
        giveBack();
        this.#remember(pair);
      },
      wasNotJudged: giveBack,
    };
  }

  #remember(pair: string): void {
    this.#proven.delete(pair);
    this.#proven.add(copyString(pair));
    if (this.#proven.size > MAX_VERIFIED) {
      const [oldest] = this.#proven;
      if (oldest !== undefined) this.#proven.delete(oldest);
    }
  }
}
