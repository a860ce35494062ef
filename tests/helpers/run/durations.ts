import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Total duration of a test file, and the part of it before the first test starts. */
export interface FileDuration {
  seconds: number;
  setupSeconds: number;
}

/** Durations by the path of the test file, relative to the root of the repository. */
export type Durations = ReadonlyMap<string, FileDuration>;

export const durationsFile = fileURLToPath(new URL('../../durations.json', import.meta.url));

/** Reads `tests/durations.json`, which `npm run test:durations` writes. */
export function readDurations(file = durationsFile): Durations {
  if (!existsSync(file)) return new Map();
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, [number, number]>;
  return new Map(
    Object.entries(stored).map(([path, [seconds, setupSeconds]]) => [path, { seconds, setupSeconds }]),
  );
}

/** Writes one line per file, in alphabetical order, so that a diff shows which files became slower. */
export function writeDurations(durations: Durations, file = durationsFile): void {
  const round = (seconds: number) => Math.round(seconds * 10) / 10;
  const lines = [...durations]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([path, { seconds, setupSeconds }]) =>
        `  ${JSON.stringify(path)}: [${round(seconds)}, ${round(setupSeconds)}]`,
    );
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/** Averages several runs. The average of a file covers only the runs that contain it. */
export function averageDurations(runs: readonly Durations[]): Durations {
  const paths = new Set(runs.flatMap((run) => [...run.keys()]));
  return new Map(
    [...paths].map((path) => {
      const each = runs.flatMap((run) => run.get(path) ?? []);
      const average = (part: keyof FileDuration) =>
        each.reduce((sum, duration) => sum + duration[part], 0) / each.length;
      return [path, { seconds: average('seconds'), setupSeconds: average('setupSeconds') }];
    }),
  );
}

/**
 * Returns the share of file pairs that are in the same order in both runs, from 0 to 1. The speed of the
 * machine doesn't affect it. A pair is compared only if, in both runs, the shorter duration is less than half
 * of the longer one.
 */
export function orderAgreement(recorded: Durations, measured: Durations): number {
  const paths = [...measured.keys()].filter((path) => recorded.has(path));
  const isClear = (one: number, other: number) => Math.min(one, other) < Math.max(one, other) / 2;
  let pairs = 0;
  let same = 0;
  for (const [index, one] of paths.entries()) {
    for (const other of paths.slice(index + 1)) {
      const before = recorded.get(one)!.seconds - recorded.get(other)!.seconds;
      const now = measured.get(one)!.seconds - measured.get(other)!.seconds;
      if (!isClear(recorded.get(one)!.seconds, recorded.get(other)!.seconds)) continue;
      if (!isClear(measured.get(one)!.seconds, measured.get(other)!.seconds)) continue;
      pairs++;
      if (Math.sign(before) === Math.sign(now)) same++;
    }
  }
  return pairs === 0 ? 1 : same / pairs;
}
