/** One Chromium for all tests that need a browser. */
import { existsSync } from 'node:fs';
import { type BrowserServer, chromium } from 'playwright-core';

// The first draws the same with half the processor time: it has no window of its own.
const PROGRAM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((file) => existsSync(file));

/** Undefined, and said so, where none is installed. */
export async function launchBrowser(): Promise<BrowserServer | undefined> {
  if (PROGRAM === undefined) {
    console.warn('left out: tests in a browser, because chromium is not installed');
    return undefined;
  }
  return chromium.launchServer({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] });
}
