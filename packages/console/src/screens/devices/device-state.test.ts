/** Marks of devices and their channels. */
import { expect, test } from 'vitest';
import { markOfChannel, markOfDevice, shortId } from './device-state.ts';

const media = (wanted: number, running: number) => ({ wanted, running, reason: '' });

test('a device whose video is wanted and missing needs somebody', () => {
  expect(markOfDevice({ state: 'online', media: media(0, 0) })).toBe('ok');
  expect(markOfDevice({ state: 'online', media: media(2, 1) })).toBe('warn');
  expect(markOfDevice({ state: 'offline', media: media(0, 0) })).toBe('off');
  expect(markOfDevice({ state: 'offline', media: media(1, 0) })).toBe('bad');
  expect(markOfDevice({ state: 'notReg', media: media(0, 0) })).toBe('wait');
});

test('a channel says how far its video is', () => {
  const channel = (state: 'failed' | 'inviting' | 'running' | '', online = true) =>
    markOfChannel({
      state: online ? 'online' : 'offline',
      media: { wanted: state !== '', state, reason: '', streamId: 'x' },
    });
  expect([channel('failed'), channel('inviting'), channel('running'), channel('', false)]).toEqual([
    'bad',
    'busy',
    'ok',
    'off',
  ]);
});

test('an id of twenty digits is shortened, another is not', () => {
  expect([shortId('34020000001320000001'), shortId('12')]).toEqual(['…1320000001', '12']);
});
