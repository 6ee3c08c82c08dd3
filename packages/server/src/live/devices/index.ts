/** Devices: cameras and platforms that register by SIP (GB/T 28181), their channels, and their events. */
export { createDevices, type DevicesFeature } from './devices.create.ts';
