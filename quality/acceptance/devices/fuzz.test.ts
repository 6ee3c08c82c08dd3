/** A short form of `npm run chaos -- sip-fuzz`. */
import { floodTcp, floodUdp, fuzzedSip } from '@millpond/testing';
import { expect, test } from 'vitest';
import { SOON, useDeviceDeployment } from '../support/live/devices.ts';

const place = useDeviceDeployment({ MILLPOND_SIP_REQUESTS_PER_ADDRESS: '999999999+999999999/m' });

/** The same messages in every run; `gbid`: as from this device. */
function* messages(count: number, seed: number, gbid?: string): Generator<Buffer> {
  let state = seed;
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let n = 0; n < count; n++) yield fuzzedSip(chance, place.sip, gbid);
}

test('3,300 malformed messages end no server, and the camera beside them does not notice', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  await camera.register();
  await floodUdp(place.sip, messages(2900, 1));
  await floodTcp(place.sip, messages(100, 2));
  for (const bytes of messages(300, 3, gbid)) await camera.raw(bytes, 0);
  expect((await camera.keepalive()).status).toBe(200);
  await expect.poll(() => events.states(gbid), SOON).toEqual(['online']);
});
