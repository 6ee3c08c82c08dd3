/** One Chromium for all tests that need a browser. */
import { existsSync } from 'node:fs';
import { type BrowserServer, chromium } from 'playwright-core';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Undefined, and said so, where none is installed. */
export async function launchBrowser(): Promise<BrowserServer | undefined> {
  if (PROGRAM === undefined) {
    console.warn('left out: tests in a browser, because chromium is not installed');
    return undefined;
  }
  return chromium.launchServer({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] });
}
