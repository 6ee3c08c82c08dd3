import { describe, expect, test } from 'vitest';
import { type Registration, Registrations } from './registrations.ts';

const HEARTBEAT = 60_000;

/** Each is another. */
const connection = () => () => undefined;

function registration(overrides: Partial<Registration> = {}): Registration {
  return {
    deviceId: 1n,
    gbid: '34020000001320000001',
    peer: { transport: 'udp', address: '10.0.0.1', port: 5060 },
    expiresAt: 3_600_000,
    seenAt: 0,
    askAt: undefined,
    asked: 0,
    listedAt: 0,
    ...overrides,
  };
}

describe('a registration', () => {
  test('ends at its end or after three heartbeats, whichever is first, but not before three of ours', () => {
    const registrations = new Registrations(HEARTBEAT);
    expect(registrations.endOf(registration())).toBe(Number.POSITIVE_INFINITY);
    registrations.listening(1_000);
    expect(registrations.endOf(registration({ seenAt: -900_000, expiresAt: -5 }))).toBe(
      1_000 + 3 * HEARTBEAT,
    );
    expect(registrations.endOf(registration({ seenAt: 500_000 }))).toBe(500_000 + 3 * HEARTBEAT);
    expect(registrations.endOf(registration({ seenAt: 500_000, expiresAt: 510_000 }))).toBe(510_000);
  });

  test('is found by id and place: by address and port over UDP, by its own connection over TCP', () => {
    const registrations = new Registrations(HEARTBEAT);
    const [own, other] = [connection(), connection()];
    const udp = registration();
    const tcp = registration({
      deviceId: 2n,
      peer: { transport: 'tcp', address: '10.0.0.2', port: 40_000, send: own },
    });
    registrations.set(udp);
    registrations.set(tcp);
    const at = (transport: 'udp' | 'tcp', address: string, port: number, send = other) =>
      registrations.at(udp.gbid, { transport, address, port, send });
    expect(at('udp', '10.0.0.1', 5060)).toBe(udp);
    expect(at('udp', '10.0.0.1', 5061)).toBeUndefined();
    expect(at('tcp', '10.0.0.1', 5060)).toBeUndefined();
    expect(at('tcp', '10.0.0.2', 40_000, own)).toBe(tcp);
    expect(at('tcp', '10.0.0.2', 40_001)).toBeUndefined();
    expect(at('tcp', '10.0.0.2', 40_000)).toBeUndefined();
    expect(
      registrations.at('34020000001320000002', {
        transport: 'udp',
        address: '10.0.0.1',
        port: 5060,
        send: other,
      }),
    ).toBeUndefined();
  });

  test('that was made over TCP in another process is nobody’s before its device registers again', () => {
    const registrations = new Registrations(HEARTBEAT);
    const peer = { transport: 'tcp', address: '10.0.0.2', port: 40_000 } as const;
    const loaded = registration({ peer });
    registrations.set(loaded);
    expect(registrations.at(loaded.gbid, { ...peer, send: connection() })).toBeUndefined();
    const send = connection();
    const renewed = registration({ peer: { ...peer, send } });
    registrations.set(renewed);
    expect(registrations.at(loaded.gbid, { ...peer, send })).toBe(renewed);
  });

  test('gives way to a newer one of its device, and is not removed in its place', () => {
    const registrations = new Registrations(HEARTBEAT);
    const [old, fresh] = [
      registration(),
      registration({ peer: { transport: 'udp', address: '10.0.0.9', port: 1 } }),
    ];
    registrations.set(old);
    registrations.set(fresh);
    expect(registrations.size).toBe(1);
    expect(registrations.at(old.gbid, { ...old.peer, send: connection() })).toBeUndefined();
    registrations.delete(old);
    expect(registrations.get(1n)).toBe(fresh);
    registrations.delete(fresh);
    expect(registrations.size).toBe(0);
    expect(registrations.at(fresh.gbid, { ...fresh.peer, send: connection() })).toBeUndefined();
  });
});
