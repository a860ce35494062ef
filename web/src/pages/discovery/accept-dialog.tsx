import { Button, Checkbox, Group, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertSentence, typicalMessagesSentence } from '../../../../src/domain/discovery/alert-sentence.ts';
import { labelSummary } from '../../../../src/domain/discovery/label-sources.ts';
import { suggestedLifecycleRule, suggestedRule } from '../../../../src/domain/discovery/suggested-rule.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { RulePicker } from '../../components/entity-picker.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LabelEditor } from '../../components/label-editor.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countOf, formatCount } from '../../ui/format.ts';

type Request = Schemas['AcceptDiscoveredItemsRequest'];
type Result = Schemas['AcceptDiscoveredItemsResponse'];

/** Items to accept, by ID or by filter. */
export type Accepting = { item_ids: number[] } | { filter: NonNullable<Request['filter']> };

const itemsPerRequest = 1_000;

/**
 * Previews the resources that accepting creates, then accepts the items.
 * @param close Receives true if the items were accepted.
 */
export function AcceptDialog({
  accepting,
  defaultRuleId,
  close,
}: {
  accepting: Accepting;
  defaultRuleId: number | null;
  close: (isDone: boolean) => void;
}) {
  const rules = useApi('listRulesDropdown').data;
  const [chosenRule, setRuleId] = useState<number | null | undefined>(defaultRuleId ?? undefined);
  const activeRules = rules?.filter(({ is_active }) => is_active) ?? [];
  const usualRule = activeRules.find(({ name }) => name === suggestedRule.name) ?? activeRules[0];
  const ruleId = chosenRule === undefined ? (usualRule?.id ?? null) : chosenRule;
  const [withAllRoles, setAllRoles] = useState(false);
  const needsRule = rules?.length === 0;
  const [wantsRule, setWantsRule] = useState(true);
  const [labels, setLabels] = useState<Schemas['Labels']>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const selected =
    withAllRoles && 'filter' in accepting
      ? { filter: { ...accepting.filter, roles: [...allRoles] } }
      : accepting;
  const first = partsOf(selected)[0]!;
  const body = { ...first, ...ruleOf(ruleId, defaultRuleId), labels };
  const plan = useQuery({
    queryKey: ['acceptDiscoveredItems', body],
    queryFn: () => api.call('acceptDiscoveredItems', { body: { ...body, dry_run: true } }),
    placeholderData: keepPreviousData,
  });
  const sources = (plan.data?.items ?? []).flatMap(({ proposal }) => proposal?.source_type ?? []);
  const suggested = [
    ...(sources.some((type) => type !== 'lifecycle') || sources.length === 0 ? [suggestedRule] : []),
    ...(sources.includes('lifecycle') ? [suggestedLifecycleRule] : []),
  ];
  async function accept(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      let accepted = 0;
      // Create each suggested rule and accept items with it. A rule accepts only items that it can judge, so the next
      // rule gets the remaining ones.
      if (needsRule && wantsRule)
        for (const body of suggested) {
          const rule = await api.call('createRule', { body });
          accepted += await acceptAll(selected, { ...ruleOf(rule.id, defaultRuleId), labels });
        }
      else accepted = await acceptAll(selected, { ...ruleOf(ruleId, defaultRuleId), labels });
      notifications.show({ message: `${countOf(accepted, 'version')} accepted`, color: 'teal' });
      await queryClient.invalidateQueries();
      close(true);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog
      onClose={() => close(false)}
      isDirty={() => chosenRule !== (defaultRuleId ?? undefined) || Object.keys(labels).length > 0}
      title="Accept versions"
      size="lg"
    >
      <Stack gap="sm">
        {needsRule ? (
          <Checkbox
            label={`Create the ${suggested.length === 1 ? 'rule' : 'rules'} ${suggested.map(({ name }) => `"${name}"`).join(' and ')}`}
            description={`${suggested.map(({ description }) => description).join(' ')} Without a rule, versions are tracked but not monitored.`}
            checked={wantsRule}
            onChange={({ currentTarget: { checked } }) => setWantsRule(checked)}
          />
        ) : (
          <RulePicker
            label="Rule"
            description="Decides when a deployed version is too far behind. Without a rule, versions are tracked but not monitored."
            value={ruleId}
            onChange={setRuleId}
            clearable
          />
        )}
        <LabelEditor value={labels} onChange={setLabels} />
        {plan.data && (plan.data.other_role_count > 0 || withAllRoles) && (
          <Checkbox
            label={
              withAllRoles
                ? 'Include versions from CI files and builds'
                : `Include ${formatCount(plan.data.other_role_count)} ${plan.data.other_role_count === 1 ? 'version' : 'versions'} from CI files and builds`
            }
            checked={withAllRoles}
            onChange={({ currentTarget: { checked } }) => setAllRoles(checked)}
          />
        )}
        {plan.data && plan.data.ignored_count > 0 && (
          <Text size="sm" c="var(--text-muted)">
            {formatCount(plan.data.ignored_count)}{' '}
            {plan.data.ignored_count === 1 ? "version isn't" : "versions aren't"} included, because Renovate
            ignores {plan.data.ignored_count === 1 ? 'it' : 'them'}. Select ignored versions to accept them.
          </Text>
        )}
        {plan.data && <Plan result={plan.data} createsRule={needsRule && wantsRule} />}
        {(error ?? plan.error) !== null && <ErrorNotice error={error ?? plan.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => close(false)}>
            Cancel
          </Button>
          <Button
            loading={isBusy}
            // While a new plan loads, the plan shown is for the previous options, so it can't be accepted.
            disabled={plan.isPlaceholderData || (plan.data?.accepted_count ?? 0) === 0}
            onClick={() => void accept()}
          >
            Accept
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const allRoles = ['deployed', 'build', 'ci'] as const;

/**
 * Omits the rule if it's the default rule of the discovery job, so that the items follow later changes of the default.
 */
function ruleOf(ruleId: number | null, defaultRuleId: number | null): Pick<Request, 'rule_id'> {
  return ruleId !== null && ruleId === defaultRuleId ? {} : { rule_id: ruleId };
}

/** Accepts items in batches, because a request accepts up to 1,000 items. */
async function acceptAll(
  accepting: Accepting,
  options: Pick<Request, 'rule_id' | 'labels'>,
): Promise<number> {
  let count = 0;
  const parts = partsOf(accepting);
  for (const part of parts) {
    const result = await api.call('acceptDiscoveredItems', { body: { ...part, ...options } });
    count += result.accepted_count;
    // Items that can't be accepted keep the status `new`, so the next request continues after the last item.
    const last = result.items.at(-1);
    if ('filter' in part && result.remaining_count > 0 && last)
      parts.push({ filter: { ...part.filter, after_id: last.item_id } });
  }
  return count;
}

function partsOf(accepting: Accepting): Accepting[] {
  if (!('item_ids' in accepting)) return [accepting];
  const { item_ids } = accepting;
  const parts: Accepting[] = [];
  for (let from = 0; from < item_ids.length; from += itemsPerRequest)
    parts.push({ item_ids: item_ids.slice(from, from + itemsPerRequest) });
  return parts;
}

/**
 * @param createsRule True if the rule doesn't exist yet. The dry run then doesn't count the monitors that
 * will use the rule.
 */
function Plan({
  result: {
    created,
    items,
    remaining_count,
    rejected_count,
    hosts_without_credential,
    alerts,
    typical_messages,
  },
  createsRule,
}: {
  result: Result;
  createsRule: boolean;
}) {
  const monitors = createsRule
    ? items.filter(({ outcome, gather_job }) => outcome === 'accepted' && gather_job !== null).length
    : created.alert_configs;
  const parts = [
    counted(created.scrape_jobs, 'version tracker'),
    counted(created.gather_jobs, 'upstream source'),
    counted(created.helm_sync_jobs, 'Helm repository', 'Helm repositories'),
    counted(monitors, 'monitor'),
  ].filter((text) => text !== null);
  const messages = Map.groupBy(
    items.filter(({ outcome }) => outcome === 'rejected'),
    ({ message }) => message ?? '',
  );
  const labels = labelSummary(items);
  return (
    <div aria-live="polite">
      <Text size="sm">
        {parts.length === 0 ? 'Nothing can be accepted.' : `Creates ${parts.join(', ')}.`}
        {remaining_count > 0 &&
          ` After that, at least ${formatCount(remaining_count)} more versions are accepted.`}
      </Text>
      {labels.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            Labels:
          </Text>
          <List size="sm">
            {labels.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </>
      )}
      {alerts !== null && created.alert_configs > 0 && (
        <Text size="sm" mt="xs">
          {alertSentence(alerts)}
          {typical_messages !== null &&
            ` ${typicalMessagesSentence(typical_messages, created.alert_configs)}`}
        </Text>
      )}
      {createsRule && monitors > 0 && (
        <Text size="sm" mt="xs">
          The number of alerts isn't known before the rule is created.
        </Text>
      )}
      {rejected_count > 0 && (
        <>
          <Text size="sm" mt="xs">
            {formatCount(rejected_count)} can't be accepted:
          </Text>
          <List size="sm">
            {[...messages].map(([message, rejected]) => (
              <List.Item key={message}>
                {message} ({formatCount(rejected.length)})
              </List.Item>
            ))}
          </List>
        </>
      )}
      {hosts_without_credential.length > 0 && (
        <Text size="sm" mt="xs" c="var(--text-muted)">
          Read without a credential: {hosts_without_credential.slice(0, 10).join(', ')}
          {hosts_without_credential.length > 10 &&
            ` and ${formatCount(hosts_without_credential.length - 10)} more`}
        </Text>
      )}
    </div>
  );
}

function counted(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${formatCount(count)} ${count === 1 ? one : many}`;
}
