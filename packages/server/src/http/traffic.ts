/**
 * Bytes from and to the clients of this process, as the network carries them: with headers, and with TLS. Nothing is counted on
 * a request's way; each connection knows its own bytes, and is asked when somebody wants to know, and when it closes.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { counter, type Metric } from '@millpond/base';

export class Traffic {
  readonly #open = new Set<Socket>();
  #in = 0;
  #out = 0;

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#in += socket.bytesRead;
        this.#out += socket.bytesWritten;
      });
    });
  }

  bytes(): { readonly in: number; readonly out: number } {
    const sum = { in: this.#in, out: this.#out };
    for (const { bytesRead, bytesWritten } of this.#open) {
      sum.in += bytesRead;
      sum.out += bytesWritten;
    }
    return sum;
  }

  metrics(): Metric[] {
    return [
      counter(
        {
          name: 'millpond_traffic_bytes_total',
          help: 'Bytes received from and sent to clients by this process',
          labels: ['direction'],
        },
        () => Object.entries(this.bytes()).map(([direction, value]) => ({ labels: { direction }, value })),
      ),
    ];
  }
}
