import { describe, expect, test } from 'vitest';
import type { SessionRow } from '../streams.rows.ts';
import { missingSessions } from './missing-sessions.ts';

const asked = new Date('2026-11-15T08:00:10Z');
const session = (client: string, boot = '1', began = '2026-11-15T08:00:00Z'): SessionRow => ({
  engine: 'main',
  boot,
  client,
  ns_id: 'n',
  stream_id: 's',
  address: '',
  began_at: new Date(began),
  ended_at: null,
});
const state = (...clients: string[]) => ({
  boot: '1',
  publishers: clients.map((client) => ({ client, name: 'n_s', address: '' })),
  ingests: [],
});

describe('sessions that an engine does not know', () => {
  test('are gone, and those that it has are not', () => {
    expect(missingSessions([session('2'), session('3')], state('3'), asked)).toEqual([session('2')]);
  });

  test('are gone where its process is another one, whatever numbers it gives', () => {
    expect(missingSessions([session('2', '0')], state('2'), asked)).toEqual([session('2', '0')]);
  });

  test('are not gone yet where they began a moment ago: they are on their way in', () => {
    expect(missingSessions([session('2', '1', '2026-11-15T08:00:09Z')], state(), asked)).toEqual([]);
  });
});
