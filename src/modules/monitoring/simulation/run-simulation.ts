import { EpisodeLog } from '../../../domain/replay/episodes.ts';
import type { ReplaySubject, VersionChange } from '../../../domain/replay/replay.ts';
import type { Rule } from '../../../domain/rules/rule-type.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Database } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { countMessagesByChannel } from '../../notifications/index.ts';
import { readLimit } from '../../settings/index.ts';
import { candidatePattern } from '../evaluation/candidate-pattern.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { readVersionChanges } from './read-version-changes.ts';
import { gatherJobKey, replaySubjects } from './replay-subjects.ts';
import {
  readNowMs,
  readUnsavedConfig,
  type Selection,
  type SimulatedConfig,
  selectConfigs,
  type UnsavedConfig,
} from './simulation-queries.ts';
import { type LeftOutReason, type Simulation, summarizeSimulation } from './summarize-simulation.ts';

/** A rule of a simulation. The ID is null if the rule isn't stored. */
export interface SimulatedRule {
  readonly id: number | null;
  readonly compared: Rule;
}

export interface SimulationRequest {
  readonly organizationId: number;
  readonly days: number;
  readonly rule: SimulatedRule;
  readonly of:
    | { readonly kind: 'configs'; readonly selection: Selection }
    | { readonly kind: 'given'; readonly config: UnsavedConfig };
  /** Baseline of the simulation: another rule, or a stored configuration with its rule. */
  readonly before: { readonly rule: SimulatedRule; readonly alertConfigId: number | null } | null;
}

/** A configuration replayed with the simulated rule or with the baseline rule. */
export interface SimulatedSubject extends ReplaySubject {
  readonly config: SimulatedConfig;
  readonly ruleId: number | null;
  readonly isBefore: boolean;
}

/**
 * Reads the inputs of a simulation, replays them, and summarizes the result. Read-only.
 *
 * @param longestMs maximum duration. Configurations that haven't been simulated when it ends are excluded.
 */
export async function runSimulation(
  db: Database,
  releaseCache: ReleaseCache,
  request: SimulationRequest,
  signal: AbortSignal,
  longestMs = 10_000,
): Promise<Simulation> {
  const slices = new TimeSlices(signal, longestMs);
  const { organizationId, before, days } = request;
  const toMs = await readNowMs(db);
  const time = { fromMs: toMs - days * dayMs, toMs };
  const { subjects, leftOut, count } = await chooseSubjects(db, request, time, slices);
  signal.throwIfAborted();

  const log = new EpisodeLog<SimulatedSubject>(time.fromMs);
  const isJudged = new Set<SimulatedSubject>();
  // Subjects with a result that only a complete list of releases could confirm.
  const isDoubted = new Set<SimulatedSubject>();
  const isReplayed = await replaySubjects(
    db,
    releaseCache,
    { subjects, birth: 'released', ...time },
    slices,
    (step) => {
      if (step.decision.config.state !== 'no_data') isJudged.add(step.subject);
      else if (step.verdict.state !== 'no_data') isDoubted.add(step.subject);
      log.add(step);
    },
  );
  const isSimulated = ({ isBefore }: SimulatedSubject) => !isBefore;
  const unjudged = subjects.filter(
    (each) => isSimulated(each) && isReplayed.has(each) && !isJudged.has(each),
  );
  for (const each of unjudged) {
    const reason = isDoubted.has(each) ? (each.config.listDoubt?.doubt.reason ?? 'no_data') : 'no_data';
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  }
  leftOut.set(
    'limit',
    (leftOut.get('limit') ?? 0) +
      subjects.filter((each) => isSimulated(each) && !isReplayed.has(each)).length,
  );

  const messages = await countMessagesByChannel(
    db,
    organizationId,
    log.events
      .filter(({ subject }) => isReplayed.has(subject) && isSimulated(subject))
      .map(({ subject, atMs, eventType, severity }) => ({
        atMs,
        cause: gatherJobKey(subject.config.gatherJob),
        subject: {
          eventType,
          severity,
          ruleId: subject.ruleId,
          alertConfigId: subject.config.id,
          labels: subject.config.labels,
        },
      })),
    () => slices.pause(),
  );
  return summarizeSimulation({
    ...time,
    count,
    leftOut,
    simulated: [...isReplayed].filter((each) => isSimulated(each) && isJudged.has(each)),
    episodes: log.episodes.filter(({ subject }) => isReplayed.has(subject)),
    messages,
    comparedWith: before && { ruleId: before.rule.id, alertConfigId: before.alertConfigId },
  });
}

interface ChosenSubjects {
  subjects: SimulatedSubject[];
  leftOut: Map<LeftOutReason, number>;
  count: number;
}

async function chooseSubjects(
  db: Database,
  { organizationId, rule, of, before }: SimulationRequest,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  slices: TimeSlices,
): Promise<ChosenSubjects> {
  const leftOut = new Map<LeftOutReason, number>();
  const leave = (reason: LeftOutReason, count = 1) =>
    void (count > 0 && leftOut.set(reason, (leftOut.get(reason) ?? 0) + count));
  const chosen: Omit<SimulatedSubject, 'versions'>[] = [];
  const add = (config: SimulatedConfig, under: SimulatedRule, isBefore: boolean) =>
    void chosen.push({ config, ruleId: under.id, isBefore, ...toReplaySubject(config, under) });

  let count = 1;
  if (of.kind === 'given') {
    const given = await readUnsavedConfig(db, organizationId, of.config, fromMs);
    if (given === null) leave('no_history');
    else add(given, rule, false);
    if (before?.alertConfigId != null) {
      const ids = [before.alertConfigId];
      const { configs } = await selectConfigs(db, organizationId, { kind: 'ids', ids }, slices);
      for (const config of configs) add(config, before.rule, true);
    }
  } else {
    const { selection } = of;
    const maxConfigs = await readLimit(db, 'limits.simulated_configs');
    const selected = await selectConfigs(db, organizationId, selection, slices, maxConfigs);
    count = selected.count;
    if (selection.kind === 'ids') leave('not_found', new Set(selection.ids).size - count);
    leave('limit', count - Math.min(count, maxConfigs));
    const compared = new Set<string>();
    for (const config of selected.configs) {
      const key = comparisonOf(config);
      if (!config.isActive) leave('inactive');
      else if (selection.kind !== 'rule' && compared.has(key)) leave('duplicate');
      else {
        compared.add(key);
        add(config, rule, false);
        if (before !== null) add(config, before.rule, true);
      }
    }
  }

  const { known, unknown } = await addVersions(db, organizationId, chosen, { fromMs, toMs }, slices);
  for (const { each, reason } of unknown) if (!each.isBefore) leave(reason);
  return { subjects: known, leftOut, count };
}

/** Adds the deployed versions. Configurations without a known deployed version can't be simulated. */
export async function addVersions<Chosen extends { readonly config: SimulatedConfig }>(
  db: Database,
  organizationId: number,
  chosen: readonly Chosen[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
  slices: TimeSlices,
) {
  const known: (Chosen & { versions: readonly VersionChange[] })[] = [];
  const unknown: { each: Chosen; reason: 'limit' | 'no_history' }[] = [];
  const ids = chosen.map(({ config }) => config.scrapeJobId);
  const changes = await readVersionChanges(db, organizationId, ids, fromMs, slices);
  for (const each of chosen) {
    const versions = changes.get(each.config.scrapeJobId);
    if (versions?.[0] !== undefined && versions[0].atMs <= toMs) known.push({ ...each, versions });
    else unknown.push({ each, reason: versions === undefined ? 'limit' : 'no_history' });
  }
  return { known, unknown };
}

export function toReplaySubject(
  config: SimulatedConfig,
  rule: SimulatedRule,
): Omit<ReplaySubject, 'versions'> {
  return {
    rule: rule.compared,
    listDoubt: config.listDoubt,
    options: {
      candidatePattern: candidatePattern(config.candidatePattern),
      ignoredVersions: config.ignoredVersions,
      countedVersions: config.countedVersions,
    },
  };
}

/** Returns a key of the comparison. Configurations with the same key differ only in their rules. */
function comparisonOf(config: SimulatedConfig): string {
  const { scrapeJobId, gatherJob, candidatePattern: pattern, ignoredVersions, countedVersions } = config;
  return JSON.stringify([
    scrapeJobId,
    gatherJobKey(gatherJob),
    pattern,
    ignoredVersions,
    countedVersions,
    config.lifecycleOverride?.ends_on ?? null,
    config.ignoredVulnerabilities.map(({ id, until }) => [id, until]),
  ]);
}
