/**
 * Loaded into a server (`--import`) whose clock is to jump: from the signal on, its time of day is off by so many
 * milliseconds, and from the next one it is right again. The rest of the machine, database and engine included, keeps the right time.
 */
const RealDate = Date;
let offset = 0;

class JumpingDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(JumpingDate.now());
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + offset;
  }
}

globalThis.Date = JumpingDate as DateConstructor;
process.on('SIGUSR2', () => {
  offset = offset === 0 ? Number(process.env.MILLPOND_TEST_CLOCK_JUMP) : 0;
});
