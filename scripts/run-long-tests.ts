import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run test:long [-- FAMILY]`: runs one family of tests in their long form, with more rounds, larger
 * numbers, and new random cases. Includes the files that exist only in a long form (`*.long.test.ts`).
 * Without an argument, the family depends on the current commit, so that consecutive commits run different
 * ones. Exits with 1 if a test fails.
 */

/** Tests that run together. A family that takes longer than five minutes on two processors must be split. */
interface LongFamily {
  /** Test files, or directories of them, that run with `PACEKEEPER_LONG_TESTS=1`. */
  files?: readonly string[];
  /** Pattern that the names of the tests match, for a file whose tests are split into several families. */
  names?: RegExp;
  /** A program with its arguments that exits with 0 if it found no fault. */
  program?: readonly string[];
}

const longestMinutes = 5;

const faults = (...names: string[]) => names.map((name) => `tests/faults/${name}.test.ts`);
const browsers = (...names: string[]) => names.map((name) => `tests/e2e/${name}.test.ts`);

export const longFamilies: Readonly<Record<string, LongFamily>> = {
  writes: { files: faults('acknowledged-writes.slow', 'embedded-database.slow') },
  events: { files: faults('no-event-lost.slow', 'one-alert') },
  outages: { files: faults('database-away.slow', 'database-cut.slow') },
  runs: { files: faults('runs.slow', 'frozen-server.slow') },
  history: { files: faults('history.slow') },
  stops: {
    files: [
      ...faults('clean-stop.slow', 'clock-jumps.slow'),
      'tests/program/one-signal.slow.test.ts',
      'tests/pipeline/hooks.slow.test.ts',
    ],
  },
  'light-pages': { files: browsers('every-page.slow'), names: / in light colors / },
  'dark-pages': { files: browsers('every-page.slow'), names: / in dark colors / },
  pages: { files: browsers('every-page.slow'), names: /^(?!.* in (light|dark) colors )/ },
  'page-colors': {
    files: browsers('comparison-changes.slow', 'discovery.slow', 'lines-preview.slow', 'today.slow'),
  },
  'form-colors': {
    files: browsers(
      'acknowledge-page.slow',
      'add-agent.slow',
      'audit-log',
      'environments.slow',
      'job-forms.slow',
      'keyboard-journeys.slow',
      'sample-data.slow',
      'set-up.slow',
      'simulation.slow',
      'software-item.slow',
    ),
  },
  programs: {
    files: [
      'scripts/demo.long.test.ts',
      'tests/program/backup-and-restore.slow.test.ts',
      'tests/program/npm-package.long.test.ts',
    ],
  },
  'notification-pages': { files: browsers('notifications.slow') },
  replays: { files: ['tests/pipeline/replay-equals-live.slow.test.ts'] },
  'discovery-replays': { files: ['tests/pipeline/discovery-replay.slow.test.ts'] },
  deployments: { files: ['src/modules/environments/real-deployments.test.ts'] },
  exposures: { files: ['src/modules/deployed/exposures/exposure-history.slow.test.ts'] },
  simulations: { files: ['tests/pipeline/simulate-equals-reality.slow.test.ts'] },
  'silenced-alerts': { files: ['src/modules/alerts/report-silenced-alerts.slow.test.ts'] },
  'rate-limits': { files: ['src/modules/notifications/deliveries/rate-limits.slow.test.ts'] },
  'sending-hours': { files: ['src/modules/notifications/deliveries/sending-hours-deliveries.slow.test.ts'] },
  sizes: {
    files: [
      'src/modules/discovery/intake/apply-discovery-run.slow.test.ts',
      'src/modules/discovery/intake/pair-sequences.slow.test.ts',
      'tests/security/answer-size.slow.test.ts',
      'tests/security/hostile-sources.slow.test.ts',
    ],
  },
  requests: {
    files: [
      'tests/contract/concurrency.slow.test.ts',
      'tests/contract/every-operation.slow.test.ts',
      'tests/security/masking-oracle.slow.test.ts',
    ],
  },
  domain: { files: ['src/domain'] },
  fuzz: { program: ['tests/contract/fuzz.ts', '20000'] },
  load: { program: ['tests/faults/load.ts', '2'] },
  attacks: { program: ['tests/faults/hostile-organizations.ts', '30'] },
};

/** Returns the family of a commit. Consecutive commits spread evenly over all families. */
export function familyOfCommit(commit: string): string {
  const names = Object.keys(longFamilies);
  return names[Number.parseInt(commit.slice(0, 8), 16) % names.length]!;
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const commit = () => execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const name = process.argv[2] ?? familyOfCommit(commit());
  const family = longFamilies[name];
  if (!family) {
    console.error(`There's no family "${name}". The families are: ${Object.keys(longFamilies).join(', ')}.`);
    process.exit(2);
  }
  console.log(`Long tests: ${name}`);
  const startedAt = performance.now();
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const names = family.names ? ['--testNamePattern', family.names.source] : [];
  const args = family.program ?? [vitest, 'run', ...(family.files ?? []), ...names];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PACEKEEPER_LONG_TESTS: '1' },
  });
  const minutes = (performance.now() - startedAt) / 60_000;
  console.log(`The long tests "${name}" took ${minutes.toFixed(1)} minutes.`);
  if (minutes > longestMinutes)
    console.log(`Split families that take longer than ${longestMinutes} minutes on an idle machine.`);
  process.exitCode = status === 0 ? 0 : 1;
}
