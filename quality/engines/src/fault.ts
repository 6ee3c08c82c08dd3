// The two ways a command can fail: wrong usage (exit code 2), or correct usage but not possible (exit code 1).

export class UsageFault extends Error {
  override name = 'UsageFault';
}

export class EngineFault extends Error {
  override name = 'EngineFault';
}
