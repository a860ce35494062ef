import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
import { type Accepting, acceptAll, partsOf, withEveryRole } from './accept-in-batches.ts';
import { AcceptPlan, OtherRolesField } from './accept-plan.tsx';

type Request = Schemas['AcceptDiscoveredItemsRequest'];

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
  const selected = withAllRoles ? withEveryRole(accepting) : accepting;
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
  // Count the alerts only if one rule is suggested. A dry run has at most one rule, so it can't count the
  // alerts of several.
  const counted = useQuery({
    queryKey: ['acceptDiscoveredItems', body, 'suggested'],
    queryFn: () =>
      api.call('acceptDiscoveredItems', { body: { ...first, labels, rule: suggested[0]!, dry_run: true } }),
    enabled: needsRule && wantsRule && suggested.length === 1 && !plan.isPlaceholderData,
  });
  const shown = needsRule && wantsRule ? (counted.data ?? plan.data) : plan.data;
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
        {plan.data && (
          <OtherRolesField count={plan.data.other_role_count} checked={withAllRoles} onChange={setAllRoles} />
        )}
        {plan.data && plan.data.ignored_count > 0 && (
          <Text size="sm" c="var(--text-muted)">
            {formatCount(plan.data.ignored_count)}{' '}
            {plan.data.ignored_count === 1 ? "version isn't" : "versions aren't"} included, because Renovate
            ignores {plan.data.ignored_count === 1 ? 'it' : 'them'}. Select ignored versions to accept them.
          </Text>
        )}
        {shown && <AcceptPlan result={shown} rulesToCreate={needsRule && wantsRule ? suggested.length : 0} />}
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

/**
 * Omits the rule if it's the default rule of the discovery job, so that the items follow later changes to the
 * default.
 */
function ruleOf(ruleId: number | null, defaultRuleId: number | null): Pick<Request, 'rule_id'> {
  return ruleId !== null && ruleId === defaultRuleId ? {} : { rule_id: ruleId };
}
