import { NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import { alertSeverities } from '../../../../src/domain/rules/severity.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { severityLabels } from '../../components/severity.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { suggestedThresholds } from '../rules/rule-form.tsx';
import { ruleTypeOptions } from '../rules/rule-type-options.ts';
import { ThresholdScale } from '../rules/threshold-scale.tsx';
import { readyMadeRules } from './ready-made-rules.ts';
import { type Pair, previewRule } from './rule-preview.ts';
import { customRule } from './software-configuration.ts';
import { newRuleValue, type SoftwareForm } from './software-values.ts';

type RuleBody = Parameters<typeof previewRule>[0];

/** The rules to choose from, the most used first: those that exist, ready-made ones, and one that is typed. */
export function ruleChoices(rules: readonly Schemas['MonitoringRule'][]) {
  const existing = rules
    .toSorted((a, b) => b.alert_config_count - a.alert_config_count)
    .map((rule) => ({ value: String(rule.id), label: rule.name, about: rule.description, body: rule }));
  const readyMade = readyMadeRules
    .filter(({ body }) => !rules.some(({ name }) => name === body.name))
    .map(({ about, body }) => ({ value: newRuleValue(body.name), label: body.name, about, body }));
  return { existing, readyMade };
}

/** How far behind is too far, and what that says of the version now. */
export function RuleSection({
  form,
  choices: { existing, readyMade },
  rule,
  pair,
}: {
  form: SoftwareForm;
  choices: ReturnType<typeof ruleChoices>;
  /** The chosen one, or the default. */
  rule: string;
  pair: Pair | null;
}) {
  const { values } = form;
  const now = useNow();
  const isCustom = rule === newRuleValue(null);
  const chosen = [...existing, ...readyMade].find(({ value }) => value === rule);
  const body: RuleBody | undefined = isCustom ? customRule(values) : chosen?.body;
  const say = (of: RuleBody) => (pair === null ? null : previewRule(of, pair, now));
  const verdict = body && say(body);
  const bodies = new Map([...existing, ...readyMade].map((each) => [each.value, each.body]));
  return (
    <Stack gap="sm" maw={720}>
      <Select
        label="Rule"
        description={isCustom ? undefined : chosen?.about || undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[
          ...(existing.length === 0 ? [] : [{ group: 'Existing rules', items: existing.map(toOption) }]),
          {
            group: 'New rule',
            items: [...readyMade.map(toOption), { value: newRuleValue(null), label: 'Custom rule' }],
          },
        ]}
        allowDeselect={false}
        searchable={existing.length > 12}
        {...form.getInputProps('rule')}
        value={rule}
        renderOption={({ option }) => {
          const of = bodies.get(option.value);
          const preview = of && say(of);
          return (
            <div>
              <Text size="sm">{option.label}</Text>
              {preview && (
                <Text size="xs" c="var(--text-muted)">
                  {preview.text}
                </Text>
              )}
            </div>
          );
        }}
      />
      {isCustom && <CustomRule form={form} />}
      {body && <ThresholdScale thresholds={body.thresholds} ruleType={body.rule_type} />}
      <Text component="div" size="sm" aria-live="polite">
        {verdict ? (
          <Mark tone={verdict.severity ?? (verdict.text.startsWith('No alert') ? 'ok' : 'muted')}>
            {verdict.text}
          </Mark>
        ) : (
          'The verdict appears when the releases and the deployed version are known.'
        )}
      </Text>
    </Stack>
  );
}

const toOption = ({ value, label }: { value: string; label: string }) => ({ value, label });

/** What most rules need. The page of a rule has the rest. */
function CustomRule({ form }: { form: SoftwareForm }) {
  const { rule_type } = form.values;
  const ruleType = ruleTypes[rule_type];
  const isAboutSupport = ruleType.measureSupport !== null;
  return (
    <>
      <TextInput label="Rule name" required maxLength={200} {...form.getInputProps('rule_name')} />
      <Select
        label="Measure"
        description={ruleType.description}
        data={ruleTypeOptions}
        allowDeselect={false}
        {...form.getInputProps('rule_type')}
        onChange={(type) => {
          const next = type as Schemas['MonitoringRuleType'];
          form.setValues({
            rule_type: next,
            ...(suggestedThresholds(next) !== suggestedThresholds(rule_type) && {
              thresholds: suggestedThresholds(next),
            }),
          });
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
            placeholder="Never"
            {...form.getInputProps(`thresholds.${severity}`)}
          />
        ))}
      </SimpleGrid>
      <Text size="sm" c="var(--text-muted)">
        For a grace period or pre-releases, edit the rule afterwards, or{' '}
        <TextLink to="/rules/new" inherit underline="always">
          create it first
        </TextLink>
        .
      </Text>
    </>
  );
}
