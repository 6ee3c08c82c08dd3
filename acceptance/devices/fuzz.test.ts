/** A short form of `npm run chaos -- sip-fuzz`. */
import { floodTcp, floodUdp, fuzzedSip } from '@millpond/testing';
import { expect, test } from 'vitest';
import { SOON, usePlace } from '../support/devices.ts';

const place = usePlace({ MILLPOND_SIP_REQUESTS_PER_ADDRESS: '999999999+999999999/m' });

/** The same messages in every run. */
function* messages(count: number, seed: number): Generator<Buffer> {
  let state = seed;
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let n = 0; n < count; n++) yield fuzzedSip(chance, place.sip);
}

test('3,000 malformed messages end no server, and the camera beside them does not notice', async () => {
  const told = await place.namespace();
  const gbid = await place.device(told.id);
  const camera = await place.camera(gbid);
  await camera.register();
  await floodUdp(place.sip, messages(2900, 1));
  await floodTcp(place.sip, messages(100, 2));
  expect((await camera.keepalive()).status).toBe(200);
  await expect.poll(() => told.states(gbid), SOON).toEqual(['online']);
});
