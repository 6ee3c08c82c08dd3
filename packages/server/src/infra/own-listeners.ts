/**
 * Where this installation itself listens: no user's URL may lead there, whatever ranges are opened. Some of these listeners do
 * not ask for a credential.
 */
import type { Listener } from '@millpond/outbound';
import type { Config } from '../config/config.ts';

type Listening = Pick<Config, 'listen' | 'adminListen' | 'sipListen' | 'liveEngines'>;

export function ownListeners({ listen, adminListen, sipListen, liveEngines }: Listening): Listener[] {
  const engines = liveEngines.map(({ url }) => {
    const { hostname } = new URL(url);
    return { address: hostname.replace(/^\[|\]$/g, ''), port: portOf(url) };
  });
  return [...listen, adminListen, ...(sipListen === undefined ? [] : [sipListen]), ...engines].map(
    ({ address, port }) => ({ address, port }),
  );
}

/** The engines' names with their ports: no URL may have them, whatever they resolve to. */
export function ownNames({ liveEngines }: Pick<Config, 'liveEngines'>): string[] {
  return liveEngines.map(({ url }) => `${new URL(url).hostname}:${portOf(url)}`);
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
