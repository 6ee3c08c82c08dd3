/** How a channel's stream is called in the namespace of its device: a camera's own by the camera. */
export function streamIdOf(gbid: string, channel: string): string {
  return channel === '' ? gbid : `${gbid}_${channel}`;
}
