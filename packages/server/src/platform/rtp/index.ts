/** RTP: the media of a session, received at a port of its own and brought into order. Knows no device. */
export type { IntakeCounts } from './intake.ts';
export { MediaPorts } from './ports.ts';
export { openReceiver, type Receiver } from './receiver.ts';
