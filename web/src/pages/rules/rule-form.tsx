import { Button, Group, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { defaultDaysBasis } from '../../../../src/domain/rules/rule-type.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import { type AlertSeverity, alertSeverities } from '../../../../src/domain/rules/severity.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { ruleTypeOptions } from './rule-type-options.ts';
import { ThresholdScale } from './threshold-scale.tsx';

type Rule = Schemas['MonitoringRule'];
export type RuleValues = Schemas['CreateMonitoringRuleRequest'];

/** In days. */
const commonGracePeriods = [0, 3, 7, 14, 30];

/** Makes or changes a rule. @param save resolves when the server has taken it. */
export function RuleForm({
  rule,
  save,
  submit,
  onCancel,
}: {
  rule?: Rule;
  save: (values: RuleValues) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const start = rule ?? bodyDefaults.createRule;
  const form = useForm({
    initialValues: {
      name: rule?.name ?? '',
      description: start.description,
      rule_type: rule?.rule_type ?? 'days_behind',
      thresholds: {
        moderate: '',
        high: '',
        critical: '',
        ...(rule ? rule.thresholds : { moderate: 30, high: 60, critical: 90 }),
      } as Record<AlertSeverity, number | ''>,
      stable_only: start.stable_only,
      days_basis: rule?.days_basis ?? defaultDaysBasis,
      min_release_age_days: start.min_release_age_days,
    },
  });
  const { rule_type, thresholds } = form.values;
  const given = Object.fromEntries(Object.entries(thresholds).filter(([, value]) => value !== ''));
  const ruleType = ruleTypes[rule_type];
  const { onSubmit, error, isBusy } = useSubmit(form, ({ days_basis, ...values }) =>
    save({ ...values, thresholds: given, ...(ruleType.hasDaysBasis && { days_basis }) }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={640}>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
        <Select
          label="Measure"
          description={ruleType.description}
          data={ruleTypeOptions}
          allowDeselect={false}
          {...form.getInputProps('rule_type')}
        />
        <Group grow align="flex-start">
          {alertSeverities.map((severity) => (
            <NumberInput
              key={severity}
              label={`${severity[0]?.toUpperCase()}${severity.slice(1)} from`}
              suffix={` ${ruleType.unit[1]}`}
              min={ruleType.thresholds.min}
              allowDecimal={false}
              placeholder="never"
              {...form.getInputProps(`thresholds.${severity}`)}
            />
          ))}
        </Group>
        <ThresholdScale thresholds={given} ruleType={rule_type} />
        {ruleType.hasDaysBasis && (
          <Select
            label="Count days from"
            data={[
              { value: 'deployed_release', label: 'Deployed release date' },
              { value: 'first_newer_release', label: 'First newer release date' },
            ]}
            allowDeselect={false}
            {...form.getInputProps('days_basis')}
          />
        )}
        <div>
          <NumberInput
            label="Grace period"
            description="Ignore releases newer than this."
            suffix=" days"
            min={0}
            max={3650}
            allowDecimal={false}
            {...form.getInputProps('min_release_age_days')}
          />
          <Group gap="xs" mt={6} role="group" aria-label="Common grace periods">
            {commonGracePeriods.map((days) => (
              <Button
                key={days}
                variant={form.values.min_release_age_days === days ? 'light' : 'default'}
                aria-pressed={form.values.min_release_age_days === days}
                size="compact-xs"
                onClick={() => form.setFieldValue('min_release_age_days', days)}
              >
                {days === 0 ? 'None' : `${days} days`}
              </Button>
            ))}
          </Group>
        </div>
        <Switch
          label="Stable releases only"
          description="Exclude pre-releases from the comparison."
          {...form.getInputProps('stable_only', { type: 'checkbox' })}
        />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
