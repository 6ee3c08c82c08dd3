// The two ways a command can fail: wrong usage (exit code 2), or correct usage but not possible (exit code 1).

export class UsageError extends Error {
  override name = 'UsageError';
}

export class EngineError extends Error {
  override name = 'EngineError';
}
