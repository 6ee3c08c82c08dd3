/** RTP: the media of a session, received at a separate port and put in order. Knows nothing of devices. */
export type { IntakeCounts } from './intake.ts';
export { MediaPorts } from './ports.ts';
export { openRtpReceiver, type RtpReceiver } from './receiver.ts';
