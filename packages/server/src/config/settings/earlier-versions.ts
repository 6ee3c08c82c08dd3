/** Settings of earlier versions, and what to do where an environment still has one. */
export const earlierSettings: ReadonlyMap<string, string> = new Map([
  ...['CACHE', 'SLOTS', 'TIMEOUT', 'WAITING'].map(
    (word) => [`MILLPOND_PICTURE_${word}`, `is now MILLPOND_IMAGE_${word}`] as const,
  ),
  [
    'MILLPOND_WORKER_SLOTS',
    'is no longer a setting: it never had an effect, remove it. MILLPOND_MEDIA_SLOTS says how many tasks a process runs at a time, MILLPOND_DELIVERY_SLOTS how many events it sends',
  ],
]);
