import path from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { readStarts, startKinds, startsVariable } from './count-starts.ts';
import { agreement, type Durations, type FileDuration, readDurations, writeDurations } from './durations.ts';

/** A file is reported as changed if its share of the run grew to this multiple of its recorded share. */
const slowerFactor = 2;
/** Shorter files vary too much to be reported as changed. */
const reportedSeconds = 3;

/**
 * Ends a run with its ten slowest files and the number of costly starts. In CI, it also compares the order of the files
 * with `tests/durations.json`. `PACEKEEPER_TEST_DURATIONS` names a file that the durations are written to.
 */
export class DurationReporter implements Reporter {
  readonly #measured = new Map<string, FileDuration>();
  #root = '';

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestModuleEnd(module: TestModule): void {
    const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } =
      module.diagnostic();
    const setupMs = prepareDuration + environmentSetupDuration + setupDuration + collectDuration;
    this.#measured.set(path.relative(this.#root, module.moduleId), {
      seconds: (setupMs + duration) / 1_000,
      setupSeconds: setupMs / 1_000,
    });
  }

  onTestRunEnd(): void {
    const file = process.env['PACEKEEPER_TEST_DURATIONS'];
    if (file) writeDurations(this.#measured, file);
    // Runs of single files have nothing to compare.
    if (this.#measured.size < 20) return;
    console.log(`\nSlowest files (seconds, of them before the first test):\n${this.#slowest()}`);
    const starts = process.env[startsVariable];
    if (starts) {
      const counts = readStarts(starts);
      console.log(`Starts: ${startKinds.map((kind) => `${counts[kind]} ${kind}`).join(', ')}`);
    }
    if (process.env['CI']) console.log(compareOrder(readDurations(), this.#measured));
  }

  #slowest(): string {
    return [...this.#measured]
      .toSorted(([, one], [, other]) => other.seconds - one.seconds)
      .slice(0, 10)
      .map(([name, { seconds, setupSeconds }]) => {
        const [total, setup] = [seconds, setupSeconds].map((each) => each.toFixed(1).padStart(7));
        return `${total} ${setup}  ${name}`;
      })
      .join('\n');
  }
}

/** Says how well the recorded order still holds, and which files became slower or aren't recorded. */
function compareOrder(recorded: Durations, measured: Durations): string {
  const sum = (durations: Durations) =>
    [...measured.keys()].reduce((total, name) => total + (durations.get(name)?.seconds ?? 0), 0);
  const speed = sum(measured) / sum(recorded);
  const slower = [...measured].filter(
    ([name, { seconds }]) =>
      seconds > reportedSeconds && seconds > (recorded.get(name)?.seconds ?? Infinity) * speed * slowerFactor,
  );
  const missing = [...measured.keys()].filter((name) => !recorded.has(name));
  return [
    `Order of durations: ${Math.round(agreement(recorded, measured) * 100)} % as in tests/durations.json.`,
    ...slower.map(
      ([name, { seconds }]) =>
        `Slower than recorded: ${name} (${seconds.toFixed(1)} s, expected ${(recorded.get(name)!.seconds * speed).toFixed(1)} s)`,
    ),
    ...missing.map((name) => `Not recorded: ${name}. Run \`npm run test:durations\`.`),
  ].join('\n');
}
