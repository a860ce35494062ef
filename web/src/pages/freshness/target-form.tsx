import { NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { freshnessMetrics } from '../../../../src/domain/freshness/freshness-metrics.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { MatcherFields } from '../../components/matcher-fields.tsx';
import { useSubmit } from '../../components/use-submit.ts';

type Body = Schemas['CreateFreshnessTargetRequest'];

const targetMetrics = ['libyears', 'exposure_days', 'majors', 'minors'] as const;
const options = targetMetrics.map((value) => ({ value, label: freshnessMetrics[value].label }));

/** Form with the fields of a freshness target. */
export function TargetForm({
  target,
  submit,
  save,
  onCancel,
}: {
  target?: Schemas['FreshnessTarget'];
  submit: string;
  save: (body: Body) => Promise<void>;
  onCancel: () => void;
}) {
  const form = useForm({
    initialValues: {
      name: target?.name ?? '',
      metric: target?.metric ?? ('exposure_days' as Body['metric']),
      limit: target?.limit ?? (90 as number | string),
      goal_percent: target?.goal_percent ?? (95 as number | string),
      label_matchers: target?.label_matchers ?? ([] as Schemas['LabelMatcher'][]),
    },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name.' : null),
      limit: (value) => (typeof value === 'number' ? null : 'Enter a number.'),
      goal_percent: (value) => (typeof value === 'number' ? null : 'Enter a number from 1 to 100.'),
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, ({ limit, goal_percent, ...values }) =>
    save({ ...values, limit: Number(limit), goal_percent: Number(goal_percent) }),
  );
  const { metric } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <Select
          label="Metric"
          description={freshnessMetrics[metric].definition}
          data={options}
          allowDeselect={false}
          {...form.getInputProps('metric')}
        />
        <NumberInput
          label="Limit"
          description={`The most ${freshnessMetrics[metric].unit[1]} that a deployed version can be behind.`}
          required
          min={0}
          allowDecimal={metric === 'libyears'}
          {...form.getInputProps('limit')}
        />
        <NumberInput
          label="Goal"
          description="The share of deployed versions that must be within the limit."
          suffix="%"
          required
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('goal_percent')}
        />
        <MatcherFields
          matchers={form.values.label_matchers}
          onChange={(matchers) => form.setFieldValue('label_matchers', matchers)}
          errorAt={(index) => form.errors[`label_matchers.${index}.value`]}
        />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
