import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import type { SetUp, Step } from './set-up-steps.ts';

/** What stands in the address, so that a set-up can be left, gone on with and shown to others. */
interface SetUpSearch {
  gather_job_id?: string;
  scrape_job_id?: string;
  rule_id?: string;
  alert_config_id?: string;
  /** The step that somebody went back to. */
  step?: string;
  /** `no`: nobody is to hear of it. */
  notify?: string;
  /** Begun with something new, whatever was left behind before. */
  new?: string;
}

export interface SetUpState extends SetUp {
  wantedStep: string | undefined;
  defaultChannelId: number | null;
  /** Whether an active notification rule sends alerts somewhere. */
  hasNotificationRules: boolean;
  isLoading: boolean;
  /** Remembers what a step has settled, and goes on. */
  settle(changes: { [Key in keyof SetUpSearch]?: number | string }): void;
  goTo(step: Step): void;
  /** Begins with the next thing. */
  begin(): void;
}

export function useSetUp(): SetUpState {
  const search = useSearch({ strict: false }) as SetUpSearch;
  const navigate = useNavigate();
  const settings = useApi('getNotificationSettings');
  const routes = useApi('listNotificationRules', { query: { is_active: true, limit: 1 } });
  const left = useLeftBehind(Object.keys(search).length === 0);
  const gatherJobId = idOf(search.gather_job_id) ?? left.gatherJobId;
  const scrapeJobId = idOf(search.scrape_job_id) ?? left.scrapeJobId;
  const ruleId = idOf(search.rule_id) ?? left.ruleId;
  const change = (changes: Readonly<Record<string, number | string | undefined>>) => {
    // What was only left behind is part of it from now on.
    const known = {
      gather_job_id: gatherJobId ?? undefined,
      scrape_job_id: scrapeJobId ?? undefined,
      rule_id: ruleId ?? undefined,
    };
    void navigate({
      to: '/set-up',
      search: { ...search, ...known, ...changes } as never,
      resetScroll: false,
    });
  };
  const defaultChannelId = settings.data?.default_channel_id ?? null;
  const hasNotificationRules = (routes.data?.total ?? 0) > 0;
  return {
    gatherJobId,
    scrapeJobId,
    ruleId,
    isHeard: search.notify === 'no' || defaultChannelId !== null || hasNotificationRules,
    alertConfigId: idOf(search.alert_config_id),
    wantedStep: search.step,
    defaultChannelId,
    hasNotificationRules,
    isLoading: settings.isLoading || routes.isLoading || left.isLoading,
    settle: (changes) => change({ step: undefined, ...changes }),
    goTo: (step) => change({ step }),
    begin: () => void navigate({ to: '/set-up', search: { new: '1' } as never }),
  };
}

const idOf = (text: string | undefined): number | null =>
  /^[1-9]\d*$/.test(text ?? '') ? Number(text) : null;

interface LeftBehind {
  gatherJobId: number | null;
  scrapeJobId: number | null;
  ruleId: number | null;
}
const nothing: LeftBehind = { gatherJobId: null, scrapeJobId: null, ruleId: null };

/**
 * What an earlier set-up has made and nothing uses yet, when the address says nothing. It is looked up once for a visit:
 * what is made meanwhile stands in the address.
 */
function useLeftBehind(isWanted: boolean): LeftBehind & { isLoading: boolean } {
  const [found, setFound] = useState<LeftBehind | null>(null);
  useEffect(() => {
    let isCurrent = isWanted;
    const set = (next: LeftBehind) => isCurrent && setFound(next);
    if (isWanted) void findLeftBehind().then(set, () => set(nothing));
    else setFound(null);
    return () => {
      isCurrent = false;
    };
  }, [isWanted]);
  return { ...(isWanted && found ? found : nothing), isLoading: isWanted && found === null };
}

/** The newest of each kind, unless something compares it. */
async function findLeftBehind(): Promise<LeftBehind> {
  const newest = { sort: '-created_at', limit: 1 } as const;
  const [gatherJobs, scrapeJobs, rules] = await Promise.all([
    api.call('listGatherJobs', { query: { ...newest, scope: 'organization' } }),
    api.call('listScrapeJobs', { query: newest }),
    api.call('listRules', { query: { ...newest, is_active: true } }),
  ]);
  const isUnused = async (query: { gather_job_id: number } | { scrape_job_id: number }) =>
    (await api.call('listAlertConfigs', { query: { ...query, limit: 1 } })).total === 0;
  const [gatherJob] = gatherJobs.items;
  const [scrapeJob] = scrapeJobs.items;
  const [rule] = rules.items;
  // What a helm sync made is not what somebody was about to set up.
  const isOwnWork = gatherJob?.helm_sync_job_id === null && (await isUnused({ gather_job_id: gatherJob.id }));
  const isLeft = scrapeJob !== undefined && (await isUnused({ scrape_job_id: scrapeJob.id }));
  return {
    gatherJobId: isOwnWork ? gatherJob.id : null,
    scrapeJobId: isLeft ? scrapeJob.id : null,
    ruleId: rule?.alert_config_count === 0 ? rule.id : null,
  };
}
