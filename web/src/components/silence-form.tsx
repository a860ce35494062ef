import { Checkbox, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { api } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { toDateTimeInput } from '../ui/format.ts';
import { DateTimeField } from './date-time-field.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { FormActions } from './form-actions.tsx';
import { MatcherFields } from './matcher-fields.tsx';
import { severityOptions } from './severity.tsx';
import {
  formatMatchCount,
  formatOtherMatches,
  type SilenceCriteria,
  type SilencedAlert,
} from './silence-criteria.ts';
import { useSubmit } from './use-submit.ts';

const hourMs = 3_600_000;
const durations = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '168', label: '1 week' },
  { value: 'custom', label: 'Until a date' },
];

/**
 * Form for a silence.
 * @param silence Silence to edit. Without it, the form creates a silence with `criteria` as the initial
 * values.
 */
export function SilenceForm({
  silence,
  criteria,
  alerts,
  submit,
  save,
  onCancel,
}: {
  silence?: Schemas['Silence'];
  criteria?: SilenceCriteria;
  /** Selected alerts. The form warns if the silence matches others. */
  alerts?: readonly SilencedAlert[];
  submit: string;
  save: (body: Schemas['CreateSilenceRequest']) => Promise<void>;
  onCancel: () => void;
}) {
  const start = silence ?? criteria;
  const hasStarted = silence?.status === 'active';
  const form = useForm({
    initialValues: {
      label_matchers: start?.label_matchers ?? ([] as Schemas['LabelMatcher'][]),
      rule_ids: start?.rule_ids ?? ([] as number[]),
      severities: start?.severities ?? ([] as Schemas['AlertSeverity'][]),
      starts_at: silence && !hasStarted ? toDateTimeInput(new Date(silence.starts_at)) : '',
      duration: silence ? 'custom' : '4',
      ends_at: silence ? toDateTimeInput(new Date(silence.ends_at)) : '',
      reason: silence?.reason ?? '',
    },
    validate: {
      starts_at: (value) =>
        value !== '' && Number.isNaN(Date.parse(value)) ? 'Choose a date and time.' : null,
      ends_at: (value, { duration }) =>
        duration === 'custom' && Number.isNaN(Date.parse(value)) ? 'Choose a date and time.' : null,
      reason: (value) => (value.trim() === '' ? 'Enter a reason.' : null),
    },
  });
  const { values, errors } = form;
  const rules = useApi('listRulesDropdown');
  const { onSubmit, error, isBusy } = useSubmit(
    form,
    ({ starts_at, duration, ends_at, reason, ...chosen }) => {
      const startMs = starts_at === '' ? Date.now() : Date.parse(starts_at);
      const end = duration === 'custom' ? new Date(ends_at) : new Date(startMs + Number(duration) * hourMs);
      return save({
        ...chosen,
        label_matchers: trimmed(chosen.label_matchers),
        // If the field is empty, omit the start: a new silence starts immediately, and one that has already
        // started keeps its start.
        ...((starts_at !== '' || (silence && !hasStarted)) && { starts_at: new Date(startMs).toISOString() }),
        ends_at: end.toISOString(),
        reason,
      });
    },
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <MatcherFields
          matchers={values.label_matchers}
          onChange={(matchers) => form.setFieldValue('label_matchers', matchers)}
          errorAt={(index) =>
            errors[`label_matchers.${index}.value`] ??
            errors[`label_matchers.${index}.label`] ??
            errors[`label_matchers.${index}`]
          }
        />
        {errors['label_matchers'] && (
          <Text size="sm" c="var(--severity-critical)" role="alert">
            {errors['label_matchers']}
          </Text>
        )}
        <MultiSelect
          label="Rules"
          description="Leave empty for all."
          placeholder={values.rule_ids.length === 0 ? 'All rules' : undefined}
          data={(rules.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.rule_ids.map(String)}
          onChange={(ids) => form.setFieldValue('rule_ids', ids.map(Number))}
          error={errors['rule_ids']}
          searchable
          nothingFoundMessage="No matching rules"
        />
        <Checkbox.Group
          label="Severities"
          description="Leave empty for all."
          value={values.severities}
          onChange={(chosen) => form.setFieldValue('severities', chosen as Schemas['AlertSeverity'][])}
          error={errors['severities']}
        >
          <Group mt={6}>
            {severityOptions.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        <MatchCount criteria={values} />
        {!hasStarted && (
          <DateTimeField
            label="Starts"
            description="Leave empty to start now."
            {...form.getInputProps('starts_at')}
          />
        )}
        <Select label="Duration" data={durations} allowDeselect={false} {...form.getInputProps('duration')} />
        {values.duration === 'custom' && (
          <DateTimeField label="Ends" required {...form.getInputProps('ends_at')} />
        )}
        <TextInput
          label="Reason"
          description="Shown with the alerts and in their activity. For example, Database maintenance."
          required
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <Text size="sm" c="var(--text-muted)">
          No notifications are sent until the silence ends. Alerts that opened or escalated and are still open
          are then reported in one message.
        </Text>
        {alerts && <OtherMatches criteria={values} alerts={alerts} />}
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

const trimmed = (matchers: readonly Schemas['LabelMatcher'][]) =>
  matchers.map((matcher) => ({ ...matcher, label: matcher.label.trim() }));

/** Returns the number of alerts that complete criteria match. */
function useMatchCount(criteria: SilenceCriteria) {
  const { rule_ids, severities } = criteria;
  const label_matchers = trimmed(criteria.label_matchers);
  const isComplete =
    label_matchers.every(({ label }) => label !== '') &&
    label_matchers.length + rule_ids.length + severities.length > 0;
  const body = { label_matchers, rule_ids, severities };
  const preview = useQuery({
    queryKey: ['previewSilence', body],
    queryFn: () => api.call('previewSilence', { body }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { isComplete, body, preview };
}

function OtherMatches({ criteria, alerts }: { criteria: SilenceCriteria; alerts: readonly SilencedAlert[] }) {
  const { isComplete, body, preview } = useMatchCount(criteria);
  const warning =
    isComplete && preview.data && !preview.isPlaceholderData
      ? formatOtherMatches(preview.data, body, alerts)
      : null;
  return (
    <Text size="sm" fw={600} c="var(--severity-high)" aria-live="polite">
      {warning}
    </Text>
  );
}

function MatchCount({ criteria }: { criteria: SilenceCriteria }) {
  const { isComplete, preview } = useMatchCount(criteria);
  if (isComplete && preview.error) return <ErrorNotice error={preview.error} />;
  return (
    <Text
      size="sm"
      fw={isComplete ? 600 : undefined}
      c={isComplete ? undefined : 'var(--text-muted)'}
      aria-live="polite"
    >
      {!isComplete
        ? 'Specify which alerts to silence: labels, rules, or severities.'
        : preview.data
          ? formatMatchCount(preview.data)
          : 'Loading…'}
    </Text>
  );
}
