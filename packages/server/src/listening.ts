/** Whether anything listens on a port, found out by connecting. */
import { connect } from 'node:net';

/** `unknown`: no answer in time, no such name, or no route. */
export type Listening = 'somebody' | 'nobody' | 'unknown';

/** A listener on all addresses is reached at the loopback address. */
const OWN_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function whoListens(address: string, port: number, withinMs: number): Promise<Listening> {
  return new Promise((resolve) => {
    const connection = connect(port, OWN_ADDRESS[address] ?? address);
    const end = (found: Listening) => {
      connection.destroy();
      resolve(found);
    };
    connection.setTimeout(withinMs, () => end('unknown'));
    connection.once('connect', () => end('somebody'));
    connection.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ECONNREFUSED' ? 'nobody' : 'unknown'),
    );
  });
}
