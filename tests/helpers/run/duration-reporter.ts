import path from 'node:path';
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';
import { isLong } from '../long-tests.ts';
import { readStarts, startKinds, startsFileVariable } from './count-starts.ts';
import { describeFailures } from './describe-failures.ts';
import {
  type Durations,
  type FileDuration,
  orderAgreement,
  readDurations,
  writeDurations,
} from './durations.ts';

/** A file is reported as slower if its share of the run has grown by more than this factor since it was recorded. */
const slowerFactor = 2;
/** Shorter files are never reported as slower, because their durations vary too much. */
const reportedSeconds = 3;
/** A file of `npm test` that takes a larger share of the run is reported, so that the run stays short. */
const quickShare = 0.012;
/** A run of fewer files isn't all of `npm test`, so the shares of its files mean nothing. */
const wholeRunFiles = 300;

/**
 * Prints the ten slowest files and the number of slow starts at the end of a run. In CI, also compares the order of the
 * files with `tests/durations.json`. If `PACEKEEPER_TEST_DURATIONS` is set, writes the durations to the file that it
 * names.
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

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#report();
    // Repeat the failures after the long reports, because often only the end of a log is kept.
    const failures = describeFailures(modules, unhandledErrors, this.#root);
    if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
  }

  #report(): void {
    const file = process.env['PACEKEEPER_TEST_DURATIONS'];
    if (file) writeDurations(this.#measured, file);
    // A run of a few selected files has no useful comparison.
    if (this.#measured.size < 20) return;
    console.log(`\nSlowest files (seconds, of them before the first test):\n${this.#slowest()}`);
    const starts = process.env[startsFileVariable];
    if (starts) {
      const counts = readStarts(starts);
      console.log(`Starts: ${startKinds.map((kind) => `${counts[kind]} ${kind}`).join(', ')}`);
    }
    for (const line of this.#slowForQuick()) console.log(line);
    // The recorded durations are from runs without long tests.
    if (process.env['CI'] && !isLong) console.log(compareOrder(readDurations(), this.#measured));
  }

  #slowForQuick(): string[] {
    const files = [...this.#measured];
    if (files.length < wholeRunFiles || files.some(([name]) => name.includes('.slow.'))) return [];
    const total = files.reduce((sum, [, { seconds }]) => sum + seconds, 0);
    return files
      .filter(([, { seconds }]) => seconds > total * quickShare)
      .map(
        ([name, { seconds }]) =>
          `Slow for \`npm test\`: ${name} (${seconds.toFixed(1)} s). Shorten it, or name it \`.slow.test.ts\`.`,
      );
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

/**
 * Describes how well the order of the files matches the recorded order, and lists files that are slower than recorded
 * or not recorded.
 */
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
    `Order of durations: ${Math.round(orderAgreement(recorded, measured) * 100)} % as in tests/durations.json.`,
    ...slower.map(
      ([name, { seconds }]) =>
        `Slower than recorded: ${name} (${seconds.toFixed(1)} s, expected ${(recorded.get(name)!.seconds * speed).toFixed(1)} s)`,
    ),
    ...(missing.length > 0
      ? [`Not recorded: ${missing.length} files, such as ${missing[0]}. Run \`npm run test:durations\`.`]
      : []),
  ].join('\n');
}
