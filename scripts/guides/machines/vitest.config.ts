import { defineConfig } from 'vitest/config';

/** The page of three servers on three machines with systemd. Apart from the other tests: it needs root, Debian's mirror, npm's registry and some minutes. */
export default defineConfig({
  test: {
    include: ['scripts/guides/machines/*.test.ts'],
    // Each goes on with the machines as the one before left them.
    bail: 1,
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
