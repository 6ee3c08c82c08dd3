/** Devices: cameras and platforms that register by SIP (GB/T 28181), their channels, and the events that tell of them. */
export { DeviceStore } from './device-store.ts';
export { Devices } from './devices.ts';
export { PasswordStore } from './password-store.ts';
export { DevicePasswords } from './passwords.ts';
export { PortService, type PortServiceParts } from './port-service.ts';
export { RegistrationStore } from './registration-store.ts';
export { deviceRoutes } from './routes.ts';
