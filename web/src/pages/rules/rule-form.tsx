import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { HistorySimulation } from '../../components/simulation/history-simulation.tsx';
import type { SimulationSubject } from '../../components/simulation/use-history-simulation.ts';
import { useSubmit } from '../../components/use-submit.ts';
import RuleFields from './rule-fields.tsx';
import { ruleFieldValues, toRuleBody } from './rule-values.ts';
import { ThresholdScale } from './threshold-scale.tsx';

type Rule = Schemas['MonitoringRule'];
export type RuleValues = Schemas['CreateMonitoringRuleRequest'];

/**
 * Creates or edits a rule.
 * @param save Resolves when the server has stored the rule.
 */
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
  const form = useForm({
    initialValues: {
      name: rule?.name ?? '',
      description: rule?.description ?? bodyDefaults.createRule.description,
      ...ruleFieldValues(rule),
    },
  });
  const values = toRuleBody(form.values);
  const simulated: SimulationSubject | null =
    Object.keys(values.thresholds).length === 0 || typeof values.min_release_age_days !== 'number'
      ? null
      : // A rule without monitors is simulated on all monitors.
        {
          kind: 'rule',
          body: { rule: values, ...(rule && rule.alert_config_count > 0 && { rule_id: rule.id }) },
        };
  const { onSubmit, error, isBusy } = useSubmit(form, ({ name, description, ...fields }) =>
    save({ name, description, ...toRuleBody(fields) }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={640}>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
        <RuleFields form={form}>
          <ThresholdScale thresholds={values.thresholds} ruleType={values.rule_type} />
          <HistorySimulation simulated={simulated} />
        </RuleFields>
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
