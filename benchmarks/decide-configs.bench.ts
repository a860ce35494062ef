/**
 * Measures the decisions about 100,000 alert configurations that use 100 gather jobs with 1,000 releases each, without
 * a database, compared with a bare loop over the same parsed releases. Run with `node
 * benchmarks/decide-configs.bench.ts`. Each measurement runs in a separate process, so that peak memory isn't shared.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ConfigEvaluation, initialEvaluation } from '../src/domain/alerts/config-evaluation.ts';
import { decideAlerts } from '../src/domain/alerts/decide-alerts.ts';
import type { AlertState } from '../src/domain/alerts/open-alert.ts';
import { createDeployedVersionParser } from '../src/domain/alerts/version-change.ts';
import { judge } from '../src/domain/rules/judge.ts';
import { prepareReleases, type ReleaseRow, type ReleaseSet } from '../src/domain/rules/release-set.ts';
import type { Rule } from '../src/domain/rules/rule-type.ts';
import { ascendingThresholds } from '../src/domain/rules/severity.ts';
import type { Version } from '../src/domain/versions/version-scheme.ts';
import { versionScheme } from '../src/domain/versions/versions.ts';

const jobCount = 100;
const releasesPerJob = 1_000;
const configsPerJob = 1_000;
const nowMs = Date.parse('2026-03-15T10:00:00Z');
const dayMs = 86_400_000;

const measures = {
  'bare loop': measureBareLoop,
  'first decision': () => measureDecisions({ isFirst: true, hasOwnOptions: false }),
  'nothing changed': () => measureDecisions({ isFirst: false, hasOwnOptions: false }),
  'nothing changed, every configuration with options of its own': () =>
    measureDecisions({ isFirst: false, hasOwnOptions: true }),
};

interface Result {
  seconds: number;
  alerting: number;
  rssMb: number;
  heapMb: number;
}

function printTable() {
  const rows = Object.keys(measures).map((name) => {
    const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), name], {
      encoding: 'utf8',
    });
    return { name, ...(JSON.parse(output) as Result) };
  });
  const reference = rows[0]?.seconds ?? Number.NaN;
  console.log(`${jobCount * configsPerJob} configurations, ${jobCount} jobs of ${releasesPerJob} releases`);
  console.table(
    rows.map(({ name, seconds, alerting, rssMb, heapMb }) => ({
      measure: name,
      seconds: Number(seconds.toFixed(3)),
      'of the bare loop': Number((seconds / reference).toFixed(2)),
      'peak rss, MB': rssMb,
      'peak heap, MB': heapMb,
      alerting,
    })),
  );
}

function runOne(name: string): Result {
  const measure = measures[name as keyof typeof measures];
  const { seconds, alerting, heapMb } = measure();
  const rssMb = Math.round(process.resourceUsage().maxRSS / 1024);
  return { seconds, alerting, rssMb, heapMb };
}

/** Finds the highest eligible release for every configuration, and the severity of its lag. */
function measureBareLoop() {
  const scheme = versionScheme('auto');
  let alerting = 0;
  let heapMb = 0;
  const startedAt = performance.now();
  for (let job = 0; job < jobCount; job++) {
    const releases = releaseRows(job).map((row) => ({ row, version: scheme.parse(row.version) }));
    for (let config = 0; config < configsPerJob; config++) {
      const { rule, deployedVersion } = configuration(job, config);
      const deployed = scheme.parse(deployedVersion);
      let latest: Version | null = null;
      let ownDateMs: number | null = null;
      const pairs = new Set<number>();
      for (const { row, version } of releases) {
        if (version === null || deployed === null) continue;
        if (row.version === deployedVersion) ownDateMs = row.releasedAtMs;
        if (row.isPrerelease || version.isPrerelease || row.isYanked || row.isWithdrawn) continue;
        if (rule.minReleaseAgeDays > 0 && (row.releasedAtMs ?? 0) > nowMs - rule.minReleaseAgeDays * dayMs)
          continue;
        if (version.line !== deployed.line || version.variant !== deployed.variant) continue;
        if (latest === null || scheme.compare(version, latest) > 0) latest = version;
        if (
          rule.type === 'minors_behind' &&
          scheme.compare(version, deployed) > 0 &&
          !isSamePair(version, deployed)
        ) {
          pairs.add(Number(version.numbers[0] ?? 0) * 100_000 + Number(version.numbers[1] ?? 0));
        }
      }
      if (latest === null || deployed === null) continue;
      const behindBy =
        rule.type === 'majors_behind'
          ? Math.max(0, Number(latest.numbers[0] ?? 0) - Number(deployed.numbers[0] ?? 0))
          : rule.type === 'minors_behind'
            ? pairs.size
            : scheme.compare(latest, deployed) > 0
              ? Math.floor((nowMs - (ownDateMs ?? nowMs)) / dayMs)
              : 0;
      if (ascendingThresholds.severityOf(behindBy, rule.thresholds) !== null) alerting++;
    }
    heapMb = Math.max(heapMb, usedHeapMb());
  }
  return { seconds: (performance.now() - startedAt) / 1000, alerting, heapMb };
}

/**
 * Measures the decisions about all configurations. The releases of all jobs stay in memory until the end, the
 * worst case for a caller. The measured time includes preparing the releases. It excludes the decisions that
 * only produce the initial state.
 */
function measureDecisions({ isFirst, hasOwnOptions }: { isFirst: boolean; hasOwnOptions: boolean }) {
  let milliseconds = 0;
  let alerting = 0;
  let heapMb = 0;
  const kept: ReleaseSet[] = [];
  for (let job = 0; job < jobCount; job++) {
    const rows = releaseRows(job);
    const preparedAt = performance.now();
    const releases = prepareReleases('auto', rows);
    milliseconds += performance.now() - preparedAt;
    kept.push(releases);

    const stored: StoredState[] = [];
    for (let config = 0; config < configsPerJob; config++) {
      if (isFirst) {
        stored.push({ config: initialEvaluation, openAlert: null });
      } else {
        const decision = decide(releases, job, config, hasOwnOptions, {
          config: initialEvaluation,
          openAlert: null,
        });
        stored.push({ config: decision.config, openAlert: decision.newAlert?.after ?? null });
      }
    }
    releases.candidateCache.clear();

    const startedAt = performance.now();
    for (const [config, before] of stored.entries()) {
      const decision = decide(releases, job, config, hasOwnOptions, before);
      if (decision.isUnchanged === isFirst) throw new Error('the decision is not what is measured here');
      if (decision.config.state === 'alerting') alerting++;
    }
    milliseconds += performance.now() - startedAt;
    heapMb = Math.max(heapMb, usedHeapMb());
  }
  if (kept.length !== jobCount) throw new Error('the releases of every job are kept');
  return { seconds: milliseconds / 1000, alerting, heapMb };
}

interface StoredState {
  config: ConfigEvaluation;
  openAlert: AlertState | null;
}

function decide(
  releases: ReleaseSet,
  job: number,
  config: number,
  hasOwnOptions: boolean,
  { config: before, openAlert }: StoredState,
) {
  const { rule, deployedVersion } = configuration(job, config);
  const ignoredVersions = hasOwnOptions ? [`99.0.${config}`] : [];
  const options = { candidatePattern: null, ignoredVersions };
  const verdict = judge({ rule, options, deployedVersion, releases, nowMs });
  return decideAlerts({
    verdict,
    staleSinceMs: null,
    reading: createDeployedVersionParser(releases, null),
    config: before,
    openAlert,
    nowMs,
  });
}

/**
 * Returns the rule and the deployed version of one configuration. Consecutive configurations cycle through
 * the rules, and each of them has a different release of the job as its deployed version.
 */
function configuration(job: number, config: number): { rule: Rule; deployedVersion: string } {
  const rule = rules[config % rules.length];
  if (rule === undefined) throw new Error('there are rules');
  return { rule, deployedVersion: versionAt((config * 7 + job) % releasesPerJob) };
}

const rules: Rule[] = (['days_behind', 'majors_behind', 'minors_behind'] as const).flatMap((type) => {
  const thresholds =
    type === 'days_behind' ? { moderate: 30, high: 60, critical: 90 } : { moderate: 1, high: 2, critical: 4 };
  const rule: Rule = { type, thresholds, stableOnly: true, daysBasis: null, minReleaseAgeDays: 0 };
  return [rule, { ...rule, minReleaseAgeDays: 7 }];
});

/** Returns one release per day. Every tenth is a pre-release, and every third has a different variant. */
function releaseRows(job: number): ReleaseRow[] {
  return Array.from({ length: releasesPerJob }, (_, index) => ({
    version: versionAt(index),
    releasedAtMs: nowMs - (releasesPerJob - index) * dayMs - job,
    discoveredAtMs: nowMs,
    isPrerelease: false,
    isYanked: index % 97 === 0,
    isWithdrawn: index % 89 === 0,
    url: `https://upstream.example/${job}/${index}`,
  }));
}

function versionAt(index: number): string {
  const suffix = index % 10 === 9 ? '-rc.1' : index % 3 === 2 ? '-alpine3.19' : '';
  return `v${Math.floor(index / 100)}.${Math.floor(index / 10) % 10}.${index % 10}${suffix}`;
}

function isSamePair(a: Version, b: Version): boolean {
  return a.numbers[0] === b.numbers[0] && a.numbers[1] === b.numbers[1];
}

function usedHeapMb(): number {
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
}

const wanted = process.argv[2];
if (wanted === undefined) printTable();
else process.stdout.write(JSON.stringify(runOne(wanted)));
