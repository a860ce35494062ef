import { EpisodeLog } from '../../../domain/replay/episodes.ts';
import type { RoutingRule } from '../../../domain/routing/match-rule.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { simulateMessages } from '../../notifications/index.ts';
import { readLimit } from '../../settings/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { gatherJobKey, replaySubjects } from './replay-subjects.ts';
import { addVersions, type SimulatedSubject, toReplaySubject } from './run-simulation.ts';
import { readActiveRules, readNowMs, selectConfigs } from './simulation-queries.ts';

export interface MessageSimulationRequest {
  readonly organizationId: number;
  readonly days: number;
  /** Rule to add, or to replace the stored rule with the same ID. `null` to use only the stored rules. */
  readonly rule: RoutingRule | null;
}

/** Replays all active configurations under their rules, and routes the resulting events. Read-only. */
export async function runMessageSimulation(
  db: Database,
  releaseCache: ReleaseCache,
  { organizationId, days, rule }: MessageSimulationRequest,
  signal: AbortSignal,
  longestMs = 10_000,
): Promise<Schemas['MessageSimulationResult']> {
  const slices = new TimeSlices(signal, longestMs);
  const toMs = await readNowMs(db);
  const time = { fromMs: toMs - days * dayMs, toMs };
  const rules = await readActiveRules(db, organizationId);
  const maxConfigs = await readLimit(db, 'limits.simulated_configs');
  const { configs, count } = await selectConfigs(db, organizationId, { kind: 'all' }, slices, maxConfigs);
  signal.throwIfAborted();
  const chosen = configs.flatMap((config): Omit<SimulatedSubject, 'versions'>[] => {
    const compared = rules.get(config.ruleId ?? 0);
    if (!config.isActive || compared === undefined) return [];
    const { ruleId } = config;
    return [{ config, ruleId, isBefore: false, ...toReplaySubject(config, { id: ruleId, compared }) }];
  });
  const { known, unknown } = await addVersions(db, organizationId, chosen, time, slices);
  const log = new EpisodeLog<SimulatedSubject>(time.fromMs);
  const replayed = await replaySubjects(
    db,
    releaseCache,
    { subjects: known, birth: 'released', ...time },
    slices,
    (step) => log.add(step),
  );
  const events = log.events
    .filter(({ subject }) => replayed.has(subject))
    .map(({ subject: { config, ruleId }, atMs, eventType, severity }) => ({
      atMs,
      cause: gatherJobKey(config.gatherJob),
      subject: { eventType, severity, ruleId, alertConfigId: config.id, labels: config.labels },
    }));
  const routed = await simulateMessages(db, organizationId, events, rule, () => slices.pause());
  const isLimited = count > maxConfigs || unknown.some(({ reason }) => reason === 'limit');
  return {
    from: new Date(time.fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    basis: 'stored_dates',
    configs: count,
    evaluated: replayed.size,
    events: events.length,
    ...routed,
    is_complete: !isLimited && replayed.size === known.length,
  };
}
