/** Structured logs, one JSON object per line. Anything that could hold a secret is cut out here, once. */
import pino from 'pino';

export type Log = pino.Logger;

const SECRETS = [
  'authorization',
  'token',
  'secret',
  'password',
  '*.authorization',
  '*.token',
  '*.secret',
  '*.password',
  '*.headers.authorization',
];

const OUTPUTS = { stdout: 1, stderr: 2 } as const;

export function openLog(level: string, output: keyof typeof OUTPUTS = 'stdout'): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS, censor: '[cut]' },
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination(OUTPUTS[output]),
  );
}
