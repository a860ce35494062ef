import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { RulePicker } from '../../components/entity-picker.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/format.ts';

/** Environments to compare, and the filter of their services. */
export type Comparing = Omit<Schemas['CompareEnvironmentsRequest'], 'rule_id' | 'dry_run'>;

/** Previews, then creates, monitors that compare one environment with another. */
export function CompareDialog({
  environments,
  start,
  close,
}: {
  environments: readonly string[];
  start: Comparing;
  close: () => void;
}) {
  const [comparing, setComparing] = useState(start);
  const [ruleId, setRuleId] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isComplete = ruleId !== null && comparing.environment !== comparing.compare_with;
  const body = { ...comparing, rule_id: ruleId ?? 0 };
  const plan = useQuery({
    queryKey: ['compareEnvironments', body],
    queryFn: () => api.call('compareEnvironments', { body: { ...body, dry_run: true } }),
    placeholderData: keepPreviousData,
    enabled: isComplete,
  });
  async function create(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const { created } = await api.call('compareEnvironments', { body });
      notifications.show({ message: `${countOf(created.alert_configs, 'monitor')} created`, color: 'teal' });
      await queryClient.invalidateQueries();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }
  const choose = (field: 'environment' | 'compare_with') => (value: string | null) => {
    if (value !== null) setComparing({ ...comparing, [field]: value });
  };
  const failure = error ?? plan.error;
  return (
    <Dialog
      onClose={close}
      isDirty={() => comparing !== start || ruleId !== null}
      title="Compare environments"
    >
      <Stack gap="sm">
        <Select
          label="Environment"
          description="The environment to monitor."
          data={[...environments]}
          value={comparing.environment}
          onChange={choose('environment')}
          allowDeselect={false}
        />
        <Select
          label="Compare with"
          description="Its versions are the releases to compare with."
          data={[...environments]}
          value={comparing.compare_with}
          onChange={choose('compare_with')}
          error={comparing.environment === comparing.compare_with && 'Choose another environment.'}
          allowDeselect={false}
        />
        <RulePicker
          label="Rule"
          description="Sets how far behind is too far. A days-behind rule also compares commits."
          withAsterisk
          value={ruleId}
          onChange={setRuleId}
        />
        {isComplete && plan.data && <Plan result={plan.data} />}
        {failure !== null && failure !== undefined && <ErrorNotice error={failure} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            loading={isBusy}
            // While a new plan loads, the plan shown is for the previous selection, so it can't be applied.
            disabled={!isComplete || plan.isPlaceholderData || (plan.data?.created.alert_configs ?? 0) === 0}
            onClick={() => void create()}
          >
            Create monitors
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const namedServices = 5;

function Plan({
  result: { created, existing_count, disabled_count, uncompared_count, items },
}: {
  result: Schemas['CompareEnvironmentsResponse'];
}) {
  const services = [...new Set(items.filter(({ is_new }) => is_new).map(({ service }) => service))];
  const others = services.length - namedServices;
  return (
    <Text size="sm" role="status">
      Creates {countOf(created.alert_configs, 'monitor')} and{' '}
      {countOf(created.gather_jobs, 'upstream source')}
      {services.length > 0 && `: ${services.slice(0, namedServices).join(', ')}`}
      {others > 0 && ' and others'}.
      {existing_count > 0 &&
        ` ${countOf(existing_count, 'monitor')} already ${existing_count === 1 ? 'exists' : 'exist'}.`}
      {disabled_count > 0 &&
        ` ${countOf(disabled_count, 'monitor')} already ${disabled_count === 1 ? 'exists but is' : 'exist but are'} disabled. Enable ${disabled_count === 1 ? 'it' : 'them'} to compare these services.`}
      {uncompared_count > 0 &&
        ` ${countOf(uncompared_count, 'version tracker')} can't be compared because the other environment doesn't have the service.`}
    </Text>
  );
}
