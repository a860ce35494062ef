import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiCallError } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { useMe } from '../../api/use-me.ts';
import { keepProgress, readProgress } from './set-up-progress.ts';
import type { SetUpSearch } from './set-up-search.ts';
import type { SetUp, Step } from './set-up-steps.ts';

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
  const search = useSearch({ from: '/shell/set-up' });
  const navigate = useNavigate();
  const settings = useApi('getNotificationSettings');
  const routes = useApi('listNotificationRules', { query: { is_active: true, limit: 1 } });
  const { user, organization } = useMe();
  // An address that names parts is a set-up by itself. One without goes on where this person left it in this browser.
  const [left, setLeft] = useState(() => readProgress(user.id, organization.id));
  const known = search.gather_job_id ?? search.scrape_job_id ?? search.rule_id ?? search.alert_config_id;
  const from = known === undefined ? { ...left, ...search } : search;
  const gatherJobId = usePart('getGatherJob', idOf(from.gather_job_id));
  const scrapeJobId = usePart('getScrapeJob', idOf(from.scrape_job_id));
  const ruleId = usePart('getRule', idOf(from.rule_id));
  const change = (changes: Readonly<Record<string, number | string | undefined>>) => {
    const next = {
      ...search,
      gather_job_id: gatherJobId ?? undefined,
      scrape_job_id: scrapeJobId ?? undefined,
      rule_id: ruleId ?? undefined,
      notify: from.notify,
      ...changes,
    };
    const isOver = next.alert_config_id !== undefined;
    keepProgress(user.id, organization.id, isOver ? null : textsOf(next));
    void navigate({ to: '/set-up', search: textsOf(next), resetScroll: false });
  };
  const defaultChannelId = settings.data?.default_channel_id ?? null;
  const hasNotificationRules = (routes.data?.total ?? 0) > 0;
  return {
    gatherJobId,
    scrapeJobId,
    ruleId,
    hasChannel: from.notify === 'no' || defaultChannelId !== null || hasNotificationRules,
    alertConfigId: idOf(search.alert_config_id),
    wantedStep: search.step,
    defaultChannelId,
    hasNotificationRules,
    isLoading: settings.isLoading || routes.isLoading,
    settle: (changes) => change({ step: undefined, ...changes }),
    goTo: (step) => change({ step }),
    begin: () => {
      keepProgress(user.id, organization.id, null);
      setLeft({});
      void navigate({ to: '/set-up', search: {} });
    },
  };
}

/** A part that has been deleted since is none. */
function usePart(operationId: 'getGatherJob' | 'getScrapeJob' | 'getRule', id: number | null): number | null {
  const { error } = useApi(operationId, { path: { id: id ?? 0 } }, { enabled: id !== null });
  return error instanceof ApiCallError && error.code === 'not_found' ? null : id;
}

const textsOf = (parts: Readonly<Record<string, number | string | undefined>>) =>
  Object.fromEntries(
    Object.entries(parts)
      .filter(([, id]) => id !== undefined)
      .map(([part, id]) => [part, String(id)]),
  );

const idOf = (text: string | undefined): number | null =>
  /^[1-9]\d*$/.test(text ?? '') ? Number(text) : null;
