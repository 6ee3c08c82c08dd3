/** Settings of earlier versions, and what to do where an environment still has one, by its value there. */
export const removedSettings: ReadonlyMap<string, (value: string) => string> = new Map([
  ...['CACHE', 'SLOTS', 'TIMEOUT', 'WAITING'].map(
    (word) => [`MILLPOND_PICTURE_${word}`, () => `is now MILLPOND_IMAGE_${word}`] as const,
  ),
  [
    'MILLPOND_WORKER_SLOTS',
    () =>
      'is no longer a setting: it never had an effect, remove it. MILLPOND_MEDIA_SLOTS says how many tasks a process runs at a time, MILLPOND_DELIVERY_SLOTS how many events it sends',
  ],
  [
    'MILLPOND_CONSOLE_OPERATORS',
    (value: string) => {
      const commands = value
        .split(',')
        .map((email) => email.trim())
        .filter((email) => email !== '')
        .map((email) => `millpond account operator ${email}`);
      const run = commands.length === 0 ? 'millpond account operator <email>' : commands.join('; ');
      return `is no longer a setting: an operator is an account that was made one, because anybody can register an address. Remove it, migrate, and run: ${run}`;
    },
  ],
]);
