import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readDurations } from '../../tests/helpers/run/durations.ts';
import { findMutation, isSameMutation, type Mutation } from './draw-mutations.ts';
import { applyMutation } from './find-sites.ts';
import { filesOfSites, markingSetupCode, markSites } from './mark-sites.ts';
import { assumedSeconds, growingGroups, orderFiles } from './order-files.ts';
import type { TemporaryClone, TestRun } from './temporary-clone.ts';

const setupFile = 'tests/helpers/set-up-file.ts';
/**
 * Parts of the time limit of a test run: a fixed time for its start, and a multiple of the duration of its
 * files.
 */
const startMs = 120_000;
const durationFactor = 5;

/** Test files that run each mutated expression, from one run of the suite without mutations. */
export interface Coverage {
  mutations: { mutation: Mutation; files: string[] }[];
  /** Durations of the test files, in seconds. */
  seconds: Record<string, number>;
  /** Files that fail without mutations, so that their failures prove nothing. */
  failing: string[];
}

export type MutationOutcome =
  /** A test failed, or the tests took longer than their time limit. */
  | 'killed'
  /** All tests passed. */
  | 'survived'
  /** No test file runs the expression. */
  | 'not run'
  /** This checkout doesn't contain the expression. */
  | 'not found';

export interface MutationResult extends Mutation {
  outcome: MutationOutcome;
  /** The test files that failed. */
  killedBy: string[];
  /**
   * Number of test files that run the expression, and number of those that were run before the outcome was
   * known.
   */
  covering: number;
  ran: number;
}

/**
 * Runs the suite once with marks at all mutated expressions, and returns the test files that ran each of
 * them.
 *
 * @param tests Test files or directories to run. All if empty.
 */
export async function recordCoverage(
  clone: TemporaryClone,
  mutations: readonly Mutation[],
  tests: readonly string[] = [],
): Promise<Coverage> {
  const marksFile = path.join(clone.folder, 'marks');
  // Some tests run programs as another user, who must be able to write this file.
  writeFileSync(marksFile, '', { mode: 0o666 });
  const originals = new Map<string, string>();
  const change = (file: string, text: string) => {
    originals.set(file, originals.get(file) ?? clone.read(file));
    clone.write(file, text);
  };
  const numbered = mutations.map((mutation, id) => ({ id, mutation }));
  for (const [file, ofFile] of Map.groupBy(numbered, ({ mutation }) => mutation.file)) {
    if (!existsSync(path.join(clone.root, file))) continue;
    const text = clone.read(file);
    const sites = ofFile.flatMap(({ id, mutation }) => {
      const site = findMutation(text, mutation);
      return site ? [{ id, site }] : [];
    });
    change(file, markSites(text, sites, marksFile));
  }
  change(setupFile, clone.read(setupFile) + markingSetupCode(marksFile));
  const run = await clone.runTests(tests);
  for (const [file, text] of originals) clone.write(file, text);
  if (run.files.length === 0) throw new Error(`The run without mutations failed:\n${run.output}`);
  const found = await filesOfSites(createInterface({ input: createReadStream(marksFile) }));
  return {
    mutations: numbered.map(({ id, mutation }) => ({
      mutation,
      files: [...(found.get(id) ?? [])].map((file) => path.relative(clone.root, file)).toSorted(),
    })),
    seconds: Object.fromEntries(run.files.map(({ file, seconds }) => [file, seconds])),
    failing: run.files.filter(({ isPassed }) => !isPassed).map(({ file }) => file),
  };
}

/**
 * Changes one expression and runs its test files until one fails.
 *
 * @param options.runsAll True if the whole suite runs when the mutation survives these files.
 */
export async function runMutation(
  clone: TemporaryClone,
  mutation: Mutation,
  coverage: Coverage,
  { runsAll }: { runsAll: boolean },
): Promise<MutationResult> {
  const { file } = mutation;
  const text = existsSync(path.join(clone.root, file)) ? clone.read(file) : '';
  const site = findMutation(text, mutation);
  const reached = coverage.mutations.find((each) => isSameMutation(each.mutation, mutation))?.files;
  if (!reached) throw new Error(`The coverage wasn't recorded for ${file}:${mutation.line}.`);
  const covering = reached.filter((each) => !coverage.failing.includes(each));
  const result = { ...mutation, killedBy: [], covering: covering.length, ran: 0 };
  if (!site) return { ...result, outcome: 'not found' };
  const recorded = readDurations();
  const secondsOf = (each: string) => coverage.seconds[each] ?? recorded.get(each)?.seconds;
  const groups = growingGroups(orderFiles(file, covering, secondsOf));
  clone.write(file, applyMutation(text, site));
  try {
    let ran = 0;
    for (const group of groups) {
      const seconds = group.reduce((sum, each) => sum + (secondsOf(each) ?? assumedSeconds), 0);
      const limitMs = startMs + durationFactor * seconds * 1_000;
      const run = await clone.runTests(group, { limitMs, stopsAtFailure: true });
      ran += group.length;
      if (!run.isPassed) return { ...result, outcome: 'killed', killedBy: describeFailure(run, group), ran };
    }
    if (runsAll) {
      const run = await clone.runTests([], { stopsAtFailure: true });
      const failed = run.files.filter((each) => !each.isPassed && !coverage.failing.includes(each.file));
      if (failed.length > 0)
        return { ...result, outcome: 'killed', killedBy: failed.map((each) => each.file), ran };
    }
    return { ...result, outcome: covering.length > 0 ? 'survived' : 'not run', ran };
  } finally {
    clone.write(file, text);
  }
}

function describeFailure(run: TestRun, group: readonly string[]): string[] {
  const failed = run.files.filter(({ isPassed }) => !isPassed).map(({ file }) => file);
  if (failed.length > 0) return failed;
  return [`${run.isTimedOut ? 'the time limit' : 'a crash'} in ${group.join(', ')}`];
}

/**
 * Returns the mutations that were killed earlier but aren't killed now. Code that no longer exists isn't
 * included.
 */
export function findLostKills(
  earlier: readonly MutationResult[],
  now: readonly MutationResult[],
): MutationResult[] {
  const killed = earlier.filter(({ outcome }) => outcome === 'killed');
  return now.filter(
    (result) =>
      (result.outcome === 'survived' || result.outcome === 'not run') &&
      killed.some((each) => isSameMutation(each, result)),
  );
}

/** Returns one line per mutation, with its location, the change, and the outcome. */
export function describeResult(result: MutationResult): string {
  const { file, line, kind, before, after, outcome, killedBy, covering } = result;
  const short = (text: string) => {
    const oneLine = text.replace(/\s+/g, ' ');
    return oneLine.length > 60 ? `${oneLine.slice(0, 59)}…` : oneLine;
  };
  const outcomes = {
    killed: `killed by ${killedBy[0]}`,
    survived: `SURVIVED (test files that reach it: ${covering})`,
    'not run': 'NOT RUN by any test file',
    'not found': 'not in this checkout',
  };
  return `${file}:${line}  ${kind}: ${short(before)} → ${short(after)}  ${outcomes[outcome]}`;
}

export function readResults(file: string): MutationResult[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { mutations: MutationResult[] }).mutations;
}
