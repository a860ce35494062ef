import { Alert, Button, Group, NumberInput, Select, SimpleGrid, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { type RuleType, usesExploitData } from '../../../../src/domain/rules/rule-type.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import { alertSeverities } from '../../../../src/domain/rules/severity.ts';
import { supportPhases } from '../../../../src/domain/support/support-phases.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { severityLabels } from '../../components/severity.tsx';
import { supportPhaseLabels } from '../../components/support-phase-labels.ts';
import { ruleTypeOptions } from './rule-type-options.ts';
import { type RuleFieldValues, suggestedThresholds } from './rule-values.ts';

/** Suggested grace periods, in days. */
const commonGracePeriods = [0, 3, 7, 14, 30];

/**
 * Fields for the type and thresholds of a rule, and the releases that qualify.
 * @param children Content below the thresholds.
 */
export default function RuleFields<FormValues extends RuleFieldValues>({
  form,
  children,
}: {
  form: UseFormReturnType<FormValues>;
  children?: React.ReactNode;
}) {
  const { rule_type, min_release_age_days }: RuleFieldValues = form.values;
  const change = (values: Partial<RuleFieldValues>) => form.setValues(values as Partial<FormValues>);
  const ruleType: RuleType = ruleTypes[rule_type];
  const isAboutSupport = ruleType.kind === 'support';
  return (
    <>
      <Select
        label="Measure"
        description={ruleType.description}
        data={ruleTypeOptions}
        allowDeselect={false}
        {...form.getInputProps('rule_type')}
        onChange={(type) => {
          const next = type as Schemas['MonitoringRuleType'];
          const thresholds = suggestedThresholds(next);
          // The thresholds are kept if the new type has the same unit.
          change({ rule_type: next, ...(thresholds !== suggestedThresholds(rule_type) && { thresholds }) });
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        {alertSeverities.map((severity) => (
          <NumberInput
            key={severity}
            label={`${severityLabels[severity]} from`}
            suffix={isAboutSupport ? ' days before' : ` ${ruleType.unit[1]}`}
            min={ruleType.thresholds.min}
            max={ruleType.thresholds.max}
            allowDecimal={false}
            description="Leave empty for never."
            {...form.getInputProps(`thresholds.${severity}`)}
          />
        ))}
      </SimpleGrid>
      {ruleType.kind === 'vulnerabilities' && ruleType.counts === 'vulnerabilities' && (
        <Alert variant="light" icon={<IconInfoCircle size={16} />}>
          Many vulnerabilities have no known severity, such as all of those in the Go vulnerability database.
          They count only for moderate, and are shown separately.
        </Alert>
      )}
      {usesExploitData(ruleType) && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <NumberInput
            label="Known exploited from"
            description="Days after which a vulnerability that CISA lists as exploited gets the highest severity. Leave empty for no separate deadline."
            suffix=" days"
            min={1}
            max={3650}
            allowDecimal={false}
            {...form.getInputProps('known_exploited_days')}
          />
          <NumberInput
            label="Minimum EPSS score"
            description="From 0 to 1. Known exploited vulnerabilities and those without a score always count. Leave empty to count all."
            min={0}
            max={1}
            step={0.05}
            {...form.getInputProps('min_epss')}
          />
        </SimpleGrid>
      )}
      {children}
      {isAboutSupport && (
        <Select
          label="Support"
          description="Which end counts. For release lines without it, the end of life counts."
          data={supportPhases.map((value) => ({ value, label: supportPhaseLabels[value] }))}
          allowDeselect={false}
          {...form.getInputProps('support_phase')}
        />
      )}
      {ruleType.kind === 'version_age' && (
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
                  variant={min_release_age_days === days ? 'light' : 'default'}
                  aria-pressed={min_release_age_days === days}
                  size="compact-xs"
                  onClick={() => change({ min_release_age_days: days })}
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
    </>
  );
}
