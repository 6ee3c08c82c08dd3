// Reports a taken port, before an engine's own log would say it less clearly.

import { createServer } from 'node:net';
import { EngineError } from './fault.ts';

export async function requireFreePort(port: number, variable: string): Promise<void> {
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  if (!free) {
    throw new EngineError(
      `port ${port} is in use by another program: stop it, or create the engine again on another port (${variable})`,
    );
  }
}
