/** Pauses of a loop. A wake-up ends the current pause, or the next one if it arrives before it. */
export class Alarm {
  #wasWoken = false;
  #isStopped = false;
  #interrupt: (() => void) | null = null;

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Forgets the wake-ups until now. Call it before reading what they announce. */
  reset(): void {
    this.#wasWoken = false;
  }

  wake(): void {
    this.#wasWoken = true;
    this.#interrupt?.();
  }

  /** Ends the current pause and all later ones. */
  stop(): void {
    this.#isStopped = true;
    this.#interrupt?.();
  }

  /** @param options.canBeWoken False if only `stop` ends the pause early. */
  async sleep(ms: number, { canBeWoken = true } = {}): Promise<void> {
    if (this.#isStopped || (canBeWoken && this.#wasWoken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#interrupt = () => {
        if (!canBeWoken && !this.#isStopped) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#interrupt = null;
  }
}
