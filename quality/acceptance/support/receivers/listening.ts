/** `millpond listen`, as a process of the test's own. */
import { expect } from 'vitest';
import { startCommand } from '../running/command.ts';

export interface Listening {
  readonly url: string;
  /** What it said of each request so far. */
  lines(): Record<string, unknown>[];
}

export async function startListening(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Listening> {
  const command = startCommand(['listen', '--port', '0', '--json', ...args], environment);
  let output = '';
  command.process.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const lines = () =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await expect.poll(() => lines().length).toBe(1);
  return { url: String(lines()[0]?.listening), lines: () => lines().slice(1) };
}
