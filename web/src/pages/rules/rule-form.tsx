import {
  Alert,
  Button,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { defaultSupportPhase } from '../../../../src/domain/rules/find-support.ts';
import { defaultDaysBasis } from '../../../../src/domain/rules/rule-type.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import { type AlertSeverity, alertSeverities } from '../../../../src/domain/rules/severity.ts';
import { supportPhases } from '../../../../src/domain/verdicts/support-phases.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { HistorySimulation } from '../../components/simulation/history-simulation.tsx';
import type { Simulated } from '../../components/simulation/use-history-simulation.ts';
import { supportPhaseLabels } from '../../components/support-sentences.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { ruleTypeOptions } from './rule-type-options.ts';
import { ThresholdScale } from './threshold-scale.tsx';

type Rule = Schemas['MonitoringRule'];
export type RuleValues = Schemas['CreateMonitoringRuleRequest'];

const inDays = { moderate: 30, high: 60, critical: 90 };
const beforeEnd = { moderate: 180, high: 60, critical: 0 };
const counts = { moderate: 5, high: 1, critical: 1 };

/** Days before an end descend, counts have no order, and all others ascend. */
export function suggestedThresholds(type: Rule['rule_type']): Record<AlertSeverity, number> {
  if (ruleTypes[type].measureSupport !== null) return beforeEnd;
  return ruleTypes[type].measureFindings === null ? inDays : counts;
}

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
      support_phase: rule?.support_phase ?? defaultSupportPhase,
      min_release_age_days: start.min_release_age_days,
    },
  });
  const { rule_type, thresholds } = form.values;
  const given = Object.fromEntries(Object.entries(thresholds).filter(([, value]) => value !== ''));
  const ruleType = ruleTypes[rule_type];
  const { stable_only, days_basis, support_phase, min_release_age_days } = form.values;
  const isAboutSupport = ruleType.measureSupport !== null;
  const isAboutFindings = ruleType.measureFindings !== null;
  const values = {
    ...{ rule_type, stable_only, min_release_age_days, thresholds: given },
    ...(ruleType.hasDaysBasis && { days_basis }),
    ...(isAboutSupport && { support_phase }),
  };
  const simulated: Simulated | null =
    Object.keys(given).length === 0 || typeof min_release_age_days !== 'number'
      ? null
      : // A rule that nothing uses yet is tried on all monitors.
        {
          kind: 'rule',
          body: { rule: values, ...(rule && rule.alert_config_count > 0 && { rule_id: rule.id }) },
        };
  const { onSubmit, error, isBusy } = useSubmit(form, ({ days_basis, support_phase, ...values }) =>
    save({
      ...values,
      thresholds: given,
      ...(ruleType.hasDaysBasis && { days_basis }),
      ...(isAboutSupport && { support_phase }),
    }),
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
          onChange={(type) => {
            form.setFieldValue('rule_type', type as Rule['rule_type']);
            const next = suggestedThresholds(type as Rule['rule_type']);
            if (next !== suggestedThresholds(rule_type)) form.setFieldValue('thresholds', next);
          }}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
          {alertSeverities.map((severity) => (
            <NumberInput
              key={severity}
              label={`${severity[0]?.toUpperCase()}${severity.slice(1)} from`}
              suffix={isAboutSupport ? ' days before' : ` ${ruleType.unit[1]}`}
              min={ruleType.thresholds.min}
              max={ruleType.thresholds.max}
              allowDecimal={false}
              placeholder="Never"
              {...form.getInputProps(`thresholds.${severity}`)}
            />
          ))}
        </SimpleGrid>
        {isAboutFindings && (
          <Alert variant="light" icon={<IconInfoCircle size={16} />}>
            Many vulnerabilities have no known severity, such as all of those in the Go vulnerability
            database. They count only for moderate, and are shown separately.
          </Alert>
        )}
        <ThresholdScale thresholds={given} ruleType={rule_type} />
        <HistorySimulation simulated={simulated} />
        {isAboutSupport && (
          <Select
            label="Support"
            description="Which end counts. For release lines without it, the end of life counts."
            data={supportPhases.map((value) => ({ value, label: supportPhaseLabels[value] }))}
            allowDeselect={false}
            {...form.getInputProps('support_phase')}
          />
        )}
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
        {!isAboutSupport && (
          <>
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
          </>
        )}
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
