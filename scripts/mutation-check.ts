import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawMutations, type Mutation } from './mutations/draw-mutations.ts';
import {
  type Coverage,
  describeResult,
  findLostKills,
  type MutationResult,
  readResults,
  recordCoverage,
  runMutation,
} from './mutations/run-mutations.ts';
import { createTemporaryClone } from './mutations/temporary-clone.ts';

/**
 * `npm run test:mutations -- [COUNT] [SEED]`: makes COUNT small changes to the program, one at a time
 * (default: 40), and checks that a test fails for each. The same seed draws the same changes (default: 1).
 * First runs the suite once to record which test files run the code of each change. Then applies each change
 * and runs its test files, nearest first, until one fails. Works on a temporary clone of the last commit.
 *
 * - `--out FILE` writes the results as JSON, also while the check is running.
 * - `--mutations FILE` uses the mutations in a file that `--out` wrote, instead of drawing them.
 * - `--compare FILE` exits with 1 if a mutation survives that was killed according to a file that `--out`
 *   wrote.
 * - `--root DIR` checks another checkout.
 * - `--coverage FILE` stores the recorded test files, or uses them if the file exists.
 * - `--all` runs the whole suite for mutations that survive their test files.
 * - `--under PATH` draws mutations only in files whose path starts with PATH.
 * - `--tests PATH` (repeatable) records only test files under PATH.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    mutations: { type: 'string' },
    compare: { type: 'string' },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    coverage: { type: 'string' },
    all: { type: 'boolean', default: false },
    under: { type: 'string', default: '' },
    tests: { type: 'string', multiple: true, default: [] },
  },
});
const [count, seed] = [Number(positionals[0] ?? 40), Number(positionals[1] ?? 1)];
const root = path.resolve(options.root);

const clone = createTemporaryClone(root);
process.once('exit', () => clone.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const mutations: readonly Mutation[] = options.mutations
  ? readResults(options.mutations)
  : drawMutations(clone.root, { count, seed, under: options.under });
if (!options.mutations && mutations.length < count)
  console.log(`Only ${mutations.length} mutations are possible in these files.`);

const coverage = await readCoverage();
if (coverage.failing.length > 0)
  console.log(`Excluded, because they fail without mutations:\n  ${coverage.failing.join('\n  ')}`);

const results: MutationResult[] = [];
for (const mutation of mutations) {
  const result = await runMutation(clone, mutation, coverage, { runsAll: options.all });
  results.push(result);
  console.log(describeResult(result));
  if (options.out) writeFileSync(options.out, `${JSON.stringify({ seed, mutations: results }, null, 2)}\n`);
}
const countOf = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
console.log(
  `\n${countOf('killed')} killed, ${countOf('survived')} survived, ${countOf('not run')} not run by any test file, ${countOf('not found')} not in this checkout`,
);

if (options.compare) {
  const lost = findLostKills(readResults(options.compare), results);
  for (const result of lost) console.log(`Was killed before: ${describeResult(result)}`);
  if (lost.length > 0) process.exitCode = 1;
}

async function readCoverage(): Promise<Coverage> {
  const { coverage: file } = options;
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Coverage;
  console.log('Recording which test files reach the mutations …');
  const recorded = await recordCoverage(clone, mutations, options.tests);
  if (file) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  return recorded;
}
