import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run test:long [-- FAMILY]`: runs one family of tests in their long form, which has more rounds, larger numbers, and
 * new random cases, together with files that have only a long form (`*.long.test.ts`). Without a family, the current
 * commit chooses one, so that consecutive commits run different ones. Exits with 1 if a test fails.
 */

/** Tests that run together. A family that takes longer than five minutes on two processors must be split. */
interface LongFamily {
  /** Test files, or directories of them, that run with `PACEKEEPER_LONG_TESTS=1`. */
  files?: readonly string[];
  /** A program with its arguments that exits with 0 if it found no fault. */
  program?: readonly string[];
}

const longestMinutes = 5;

const faults = (...names: string[]) => names.map((name) => `tests/faults/${name}.test.ts`);
const browsers = (...names: string[]) => names.map((name) => `tests/e2e/${name}.test.ts`);

export const longFamilies: Readonly<Record<string, LongFamily>> = {
  writes: { files: faults('acknowledged-writes', 'embedded-database') },
  events: { files: faults('no-event-lost', 'one-alert') },
  outages: { files: faults('database-away', 'database-cut') },
  runs: { files: faults('runs', 'frozen-server') },
  history: { files: faults('history') },
  stops: {
    files: [
      ...faults('clean-stop', 'clock-jumps'),
      'tests/program/one-signal.test.ts',
      'tests/pipeline/hooks.test.ts',
    ],
  },
  pages: { files: browsers('every-page') },
  'page-colors': { files: browsers('comparison-changes', 'discovery', 'lines-preview') },
  'form-colors': {
    files: browsers(
      'acknowledge-page',
      'add-agent',
      'audit-log',
      'environments',
      'job-forms',
      'set-up',
      'simulation',
    ),
  },
  programs: {
    files: [
      'scripts/demo.long.test.ts',
      'tests/program/backup-and-restore.test.ts',
      'tests/program/npm-package.long.test.ts',
    ],
  },
  'notification-pages': { files: browsers('notifications') },
  replays: { files: ['tests/pipeline/replay-equals-live.test.ts'] },
  'discovery-replays': { files: ['tests/pipeline/discovery-replay.test.ts'] },
  deployments: { files: ['src/modules/environments/real-deployments.test.ts'] },
  simulations: { files: ['tests/pipeline/simulate-equals-reality.test.ts'] },
  notifications: {
    files: [
      'src/modules/alerts/report-silenced-alerts.test.ts',
      'src/modules/notifications/deliveries/rate-limits.test.ts',
      'src/modules/notifications/deliveries/sending-hours-deliveries.test.ts',
    ],
  },
  sizes: {
    files: [
      'src/modules/discovery/intake/apply-discovery-run.test.ts',
      'src/modules/discovery/intake/pair-sequences.test.ts',
      'tests/security/answer-size.test.ts',
      'tests/security/hostile-sources.test.ts',
    ],
  },
  requests: {
    files: [
      'tests/contract/concurrency.test.ts',
      'tests/contract/every-operation.test.ts',
      'tests/security/masking-oracle.test.ts',
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
  const args = family.program ?? [vitest, 'run', ...(family.files ?? [])];
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
