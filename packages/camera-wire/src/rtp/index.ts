/** RTP: the media of a session, received at a separate port and put in order. Knows nothing of devices. */
export type { IntakeCounts } from './intake.ts';
export { MediaPorts } from './ports.ts';
export { openReceiver, type Receiver } from './receiver.ts';
