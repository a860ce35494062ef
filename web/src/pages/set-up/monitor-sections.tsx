import { Button, Group, List, Radio, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { alertSentence, typicalMessagesSentence } from '../../../../src/domain/discovery/alert-sentence.ts';
import { suggestedLifecycleRule, suggestedRule } from '../../../../src/domain/discovery/suggested-rule.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { readPages } from '../../api/read-pages.ts';
import { api } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { Section } from '../../ui/facts.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { acceptAll, partsOf } from '../discovery/accept-in-batches.ts';
import { ThresholdScale } from '../rules/threshold-scale.tsx';
import { ChannelSection, useIsRouted } from './channel-step.tsx';
import { type FailingSource, findFailingSources } from './failing-sources.ts';
import { readyMadeRules } from './ready-made-rules.ts';
import { ruleChoices } from './rule-section.tsx';

type Item = Schemas['DiscoveredItem'];
type RuleBody = Schemas['CreateMonitoringRuleRequest'];
type StoredRule = Schemas['MonitoringRule'];

/** A stored rule, or one that is created when monitoring starts. */
type ChosenRule = StoredRule | RuleBody;

/** Items with the rule that monitors them. */
interface Part {
  rule: ChosenRule;
  itemIds: number[];
}

const suggestedRules = [{ about: suggestedRule.description, body: suggestedRule }, ...readyMadeRules];

/** Interval at which alerts are counted again while releases are still being read. */
const countIntervalMs = 5_000;

const shownSources = 5;

/** Selects the rule and the receiver for tracked items, and starts monitoring. */
export function MonitorSections({ items }: { items: readonly Item[] }) {
  const rules = useApi('listRules', { query: { is_active: true, limit: 200, sort: 'name' } });
  return <Loaded query={rules}>{(stored) => <ChosenSections items={items} rules={stored.items} />}</Loaded>;
}

function ChosenSections({ items, rules }: { items: readonly Item[]; rules: readonly StoredRule[] }) {
  const navigate = useNavigate();
  const isRouted = useIsRouted();
  const judgesSupport = ({ rule_type }: Pick<StoredRule, 'rule_type'>) =>
    ruleTypes[rule_type].kind === 'support';
  const choices = ruleChoices(
    rules.filter((rule) => !judgesSupport(rule)),
    suggestedRules,
  );
  const [given, setGiven] = useState<string | null>(null);
  const offered = [...choices.existing, ...choices.readyMade];
  const chosen = offered.find(({ value }) => value === given) ?? offered[0]!;
  const lifecycleRule: ChosenRule = rules.find(judgesSupport) ?? suggestedLifecycleRule;
  const idsOf = (isLifecycle: boolean) =>
    items
      .filter(({ proposal }) => (proposal.source_type === 'lifecycle') === isLifecycle)
      .map(({ id }) => id);
  const parts: Part[] = [
    { rule: chosen.body, itemIds: idsOf(false) },
    { rule: lifecycleRule, itemIds: idsOf(true) },
  ].filter(({ itemIds }) => itemIds.length > 0);
  const plan = useQuery({
    queryKey: ['acceptDiscoveredItems', 'planned', parts],
    queryFn: () => planParts(parts),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.alerts.unknown === 0 ? false : countIntervalMs),
  });
  const [first, setFirst] = useState<'summary' | 'nothing'>('summary');
  const [hasForm, setForm] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  /** @param route Routes alerts to a new channel. Undefined if they're routed already, or if no channel is created. */
  async function start(route?: () => Promise<void>): Promise<void> {
    if (first === 'summary') await route?.();
    let count = 0;
    for (const { rule, itemIds } of parts)
      count += await acceptAll({ item_ids: itemIds }, { rule_id: await ruleIdOf(rule) });
    if (first === 'nothing' && route) {
      // Evaluate before the channel is routed, because alerts that open before the channel receives anything
      // aren't sent.
      await api.call('evaluateRules');
      await route();
    }
    await queryClient.invalidateQueries();
    notifications.show({ message: `${countOf(count, 'version')} monitored`, color: 'teal' });
    await navigate({ to: '/' });
  }
  async function startWithoutForm(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await start();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }
  const toOption = ({ value, label }: { value: string; label: string }) => ({ value, label });
  return (
    <>
      <Section title="Rule">
        <Stack gap="sm" maw={720}>
          <Select
            label="Rule"
            description={chosen.about || undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={[
              ...(choices.existing.length === 0
                ? []
                : [{ group: 'Existing rules', items: choices.existing.map(toOption) }]),
              { group: 'New rule', items: choices.readyMade.map(toOption) },
            ]}
            allowDeselect={false}
            value={chosen.value}
            onChange={setGiven}
          />
          <ThresholdScale thresholds={chosen.body.thresholds} ruleType={chosen.body.rule_type} />
          {parts.length > 1 && (
            <Text size="sm">
              {countOf(parts[1]!.itemIds.length, 'version')} of managed services, which have no releases, get
              the rule "{lifecycleRule.name}".
            </Text>
          )}
          <Text size="sm" aria-live="polite">
            {plan.data === undefined ? 'Counting alerts…' : describeAlerts(plan.data)}
          </Text>
          {plan.data !== undefined && <FailingSources {...plan.data.failing} />}
          {plan.error !== null && <ErrorNotice error={plan.error} />}
        </Stack>
      </Section>
      <Section title="First message">
        {isRouted ? (
          <Text size="sm">
            Each channel gets one summary of the alerts that open now, then only what is new.
          </Text>
        ) : (
          <Radio.Group
            aria-label="First message"
            value={first}
            onChange={(value) => setFirst(value === 'nothing' ? 'nothing' : 'summary')}
          >
            <Stack gap="xs">
              <Radio value="summary" label="One summary now, then only what is new" />
              <Radio value="nothing" label="Nothing now, only what is new" />
            </Stack>
          </Radio.Group>
        )}
      </Section>
      <ChannelSection form={{ submit: 'Start monitoring', complete: start, onOpen: setForm }} />
      {error !== null && <ErrorNotice error={error} />}
      {!hasForm && (
        <Group justify="flex-end">
          <Button loading={isBusy} onClick={() => void startWithoutForm()}>
            Start monitoring
          </Button>
        </Group>
      )}
    </>
  );
}

/**
 * Returns the ID of a rule. Creates the rule unless it exists already, for example from an earlier attempt
 * that failed after creating it.
 */
async function ruleIdOf(rule: ChosenRule): Promise<number> {
  if ('id' in rule) return rule.id;
  const stored = (await api.call('listRulesDropdown')).find(({ name }) => name === rule.name);
  return stored?.id ?? (await api.call('createRule', { body: rule })).id;
}

interface PlannedAlerts {
  alerts: NonNullable<Schemas['AcceptDiscoveredItemsResponse']['alerts']>;
  typical: Schemas['AcceptDiscoveredItemsResponse']['typical_messages'];
  monitors: number;
  /** Sources whose releases can't be read, so that their alerts can't be counted. */
  failing: {
    sources: FailingSource[];
    /** False if others of these sources can be failing too. */
    areAllChecked: boolean;
  };
}

/** Counts the alerts that monitoring would open. */
async function planParts(parts: readonly Part[]): Promise<PlannedAlerts> {
  const planned: PlannedAlerts = {
    alerts: { moderate: 0, high: 0, critical: 0, unknown: 0 },
    typical: null,
    monitors: 0,
    failing: { sources: [], areAllChecked: true },
  };
  const sourceIds = new Set<number>();
  for (const { rule, itemIds } of parts)
    for (const part of partsOf({ item_ids: itemIds })) {
      const body = { ...part, ...('id' in rule ? { rule_id: rule.id } : { rule }), dry_run: true };
      const {
        alerts,
        typical_messages: typical,
        created,
        items,
      } = await api.call('acceptDiscoveredItems', { body });
      planned.monitors += created.alert_configs;
      for (const { gather_job } of items) if (gather_job?.id != null) sourceIds.add(gather_job.id);
      for (const key of ['moderate', 'high', 'critical', 'unknown'] as const)
        planned.alerts[key] += alerts?.[key] ?? 0;
      if (typical !== null)
        planned.typical = {
          per_week: (planned.typical?.per_week ?? 0) + typical.per_week,
          days: typical.days,
          alert_configs: (planned.typical?.alert_configs ?? 0) + typical.alert_configs,
        };
    }
  if (planned.alerts.unknown > 0) planned.failing = await readFailingSources(sourceIds);
  return planned;
}

/** Maximum number of sources of each status to check, newest first. */
const maxChecked = 1_000;

async function readFailingSources(ids: ReadonlySet<number>): Promise<PlannedAlerts['failing']> {
  const sources: FailingSource[] = [];
  let areAllChecked = true;
  for (const status of ['failed', 'pending'] as const) {
    const { items, isCut } = await readPages(
      (page) => api.call('listGatherJobs', { query: { ...page, status, sort: '-created_at' } }),
      {
        maxItems: maxChecked,
        isEnough: (jobs) => jobs.filter(({ id }) => ids.has(id)).length === ids.size,
      },
    );
    sources.push(...findFailingSources(items, ids));
    areAllChecked &&= !isCut;
  }
  return { sources, areAllChecked };
}

/** Lists the sources whose releases can't be read, because their results stay unknown until someone fixes them. */
function FailingSources({ sources, areAllChecked }: PlannedAlerts['failing']) {
  if (sources.length === 0)
    return areAllChecked ? null : (
      <Text size="sm">
        Too many upstream sources are failing to check all of these.{' '}
        <TextLink to="/gather-jobs" search={{ status: 'failed' }} inherit underline="always">
          View failing sources
        </TextLink>
      </Text>
    );
  const hidden = sources.length - shownSources;
  return (
    <div>
      <Text size="sm">
        The releases of {!areAllChecked && 'at least '}
        {countOf(sources.length, 'upstream source')} can't be read:
      </Text>
      <List size="sm">
        {sources.slice(0, shownSources).map(({ id, name, message }) => (
          <List.Item key={id}>
            <TextLink {...resourceLink('gather_job', id)} inherit underline="always">
              {name}
            </TextLink>
            : {message}
          </List.Item>
        ))}
        {hidden > 0 && <List.Item>And {formatCount(hidden)} more</List.Item>}
      </List>
    </div>
  );
}

function describeAlerts({ alerts, typical, monitors }: PlannedAlerts): string {
  const now = alertSentence(alerts);
  return typical === null ? now : `${now} ${typicalMessagesSentence(typical, monitors)}`;
}
