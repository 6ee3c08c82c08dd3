/** Devices: cameras and platforms that register by SIP (GB/T 28181), their channels, and the events that tell of them. */
export { createDevices, type DevicesFeature } from './create.ts';
