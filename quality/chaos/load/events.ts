/** Producers of events that stand in for tasks and streams, and the receiver of these events. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventProducer, Random } from '@millpond/testing';
import type { AddedEvent, Arrival } from '../checks/events.ts';

export interface EventReceiver {
  readonly url: string;
  readonly arrivals: Arrival[];
  close(): Promise<void>;
}

/** A tenth of the attempts fail, so that lanes are held while processes die; the rest take a moment. */
export async function startEventReceiver(random: Random): Promise<EventReceiver> {
  const arrivals: Arrival[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await buffer(request)).toString();
    await sleep(random.integer(0, 20));
    if (random.next() < 0.1) {
      response.writeHead(500).end();
      return;
    }
    const header = (name: string) => String(request.headers[name]);
    arrivals.push({
      id: header('webhook-id'),
      entity: header('x-svc-entity'),
      sequence: Number(header('x-svc-sequence')),
      body,
      at: Date.now(),
    });
    response.writeHead(200).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface EventPlan {
  readonly uid: number;
  readonly url: string;
  readonly entity: string;
  readonly endpoint: string;
  readonly random: Random;
}

/** Adds one event after the other until it is stopped; some transactions are rolled back. */
export async function keepAdding(
  producer: EventProducer,
  plan: EventPlan,
  added: AddedEvent[],
  stopped: AbortSignal,
): Promise<void> {
  const { uid, url, entity, endpoint, random } = plan;
  for (let number = 0; !stopped.aborted; number++) {
    const body = JSON.stringify({ entity, number });
    const fails = random.next() < 0.05;
    try {
      const [event] = await producer.addAll([{ uid, url, endpoint, entity, body }], { fails });
      if (event !== undefined && !fails) added.push({ ...event, entity, body, outcome: 'committed' });
    } catch (error) {
      // The commit may have reached the database.
      const id = (error as { eventId?: string }).eventId;
      if (id !== undefined) added.push({ id, entity, body, sequence: 0, outcome: 'unknown' });
    }
    await sleep(random.integer(5, 60));
  }
}
