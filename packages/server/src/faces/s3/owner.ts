/** Who owns a bucket, as S3's answers name it. */
import { StaleIfErrorCache } from '../../platform/cache.ts';

/** As elements of an answer. */
export type Owner = {
  readonly ID: string;
  readonly DisplayName: string;
};

export type Owners = (uid: bigint) => Promise<Owner>;

/** The account's id, and its e-mail address as the name to show. */
export function createOwners(
  emailOf: (uid: bigint) => Promise<string | undefined>,
  times: { freshMs: number; staleMs: number },
): Owners {
  const cache = new StaleIfErrorCache<string>({
    ...times,
    entries: 10_000,
    load: (uid) => emailOf(BigInt(uid)),
  });
  return async (uid) => ({ ID: String(uid), DisplayName: (await cache.get(String(uid))) ?? String(uid) });
}
