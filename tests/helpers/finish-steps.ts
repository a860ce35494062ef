/** Runs a generator that yields between its steps, and returns its result. */
export function runSteps<Result>(
  steps: Generator<void, Result, void>,
  afterStep: () => void = () => undefined,
): Result {
  for (;;) {
    const { done, value } = steps.next();
    afterStep();
    if (done) return value;
  }
}
