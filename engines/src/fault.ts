// The two ways a command can fail: asked wrongly (exit code 2), or asked rightly and not possible (exit code 1).

export class UsageFault extends Error {
  override name = 'UsageFault';
}

export class EngineFault extends Error {
  override name = 'EngineFault';
}
