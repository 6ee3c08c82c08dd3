/** The client of this repository, pointed at the deployment under test: as an application would use it. */
import { nodeTransport } from '@millpond/client';
import { Client, type ClientOptions } from '@millpond/client/server';
import { target } from '../target.ts';

export function sdkClient(options: Partial<ClientOptions> = {}): Client {
  const secure = target.secure.url;
  return new Client({
    url: { default: target.url, api: secure, auth: secure },
    credentials: { accessKey: target.account.accessKey, secretKey: target.account.secretKey },
    transport: nodeTransport({ ca: target.secure.certificate }),
    ...options,
  });
}

export async function collected<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}
