/** The addresses of this machine that a listener's name stands for. */
import { lookup } from 'node:dns/promises';
import type { Listener } from '../config/listeners.ts';

/** A machine without IPv6, or without it on loopback, has the name and not the address. */
const NOT_HERE: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'];

/**
 * Listens at each address of `localhost`, since clients try one or the other first; at others as they are written. All have the
 * port of the first, where the system chooses it.
 */
export async function bindEach<Bound extends { readonly port: number }>(
  listener: Listener,
  bind: (listener: Listener) => Promise<Bound>,
): Promise<Bound[]> {
  const bound: Bound[] = [];
  let absent: unknown;
  for (const address of await addressesOf(listener)) {
    try {
      bound.push(await bind({ ...listener, address, port: bound[0]?.port ?? listener.port }));
    } catch (error) {
      if (!NOT_HERE.includes((error as NodeJS.ErrnoException).code)) throw error;
      absent = error;
    }
  }
  if (bound.length === 0) throw absent;
  return bound;
}

async function addressesOf({ address }: Listener): Promise<readonly string[]> {
  if (address !== 'localhost') return [address];
  const found = await lookup(address, { all: true });
  return [...new Set(found.map((each) => each.address))];
}
