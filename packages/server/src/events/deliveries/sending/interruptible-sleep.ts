/** A rest between two turns, which new work can end. */
export class InterruptibleSleep {
  #wake: (() => void) | undefined;
  #isAwake = false;

  /** Returns at once if it was ended since the last rest. */
  async sleep(ms: number): Promise<void> {
    if (!this.#isAwake) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isAwake = false;
  }

  wake(): void {
    this.#isAwake = true;
    this.#wake?.();
  }
}
