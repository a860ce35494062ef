import { Select, Stack, Text, TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { Loading } from '../../components/loaded.tsx';
import { Mark } from '../../ui/mark.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { ThresholdScale } from '../rules/threshold-scale.tsx';
import { type ReadyMadeRule, readyMadeRules } from './ready-made-rules.ts';
import { previewRule, type RulePreviewInput } from './rule-preview.ts';
import { customRule } from './software-configuration.ts';
import { rulePresetValue, type SoftwareForm } from './software-values.ts';
import { needsReferenceData, type PreviewTarget, useReferencePreview } from './use-reference-preview.ts';

// Loaded on demand, because most users select an existing rule.
const RuleFields = lazy(() => import('../rules/rule-fields.tsx'));

type RuleBody = Parameters<typeof previewRule>[0];

/** Returns the rules to choose from: existing ones, most used first, then presets, then a custom rule. */
export function ruleChoices(
  rules: readonly Schemas['MonitoringRule'][],
  suggested: readonly ReadyMadeRule[] = readyMadeRules,
) {
  const existing = rules
    .toSorted((a, b) => b.alert_config_count - a.alert_config_count)
    .map((rule) => ({ value: String(rule.id), label: rule.name, about: rule.description, body: rule }));
  const readyMade = suggested
    .filter(({ body }) => !rules.some(({ name }) => name === body.name))
    .map(({ about, body }) => ({ value: rulePresetValue(body.name), label: body.name, about, body }));
  return { existing, readyMade };
}

/** Section for selecting the rule, with its result for the current version. */
export function RuleSection({
  form,
  choices: { existing, readyMade },
  rule,
  pair,
  target,
}: {
  form: SoftwareForm;
  choices: ReturnType<typeof ruleChoices>;
  /** Selected rule, or the default. */
  rule: string;
  pair: RulePreviewInput | null;
  target: PreviewTarget;
}) {
  const { values } = form;
  const now = useNow();
  const isCustom = rule === rulePresetValue(null);
  const chosen = [...existing, ...readyMade].find(({ value }) => value === rule);
  const body: RuleBody | undefined = isCustom ? customRule(values) : chosen?.body;
  // Only the server has reference data, so rules that evaluate it have no preview in the list. Only the selected one is
  // previewed on the server.
  const previewOf = (of: RuleBody) =>
    pair === null || needsReferenceData(of) ? null : previewRule(of, pair, now);
  const byReference = useReferencePreview(body, target, now);
  const verdict = (body && previewOf(body)) ?? byReference;
  const bodies = new Map([...existing, ...readyMade].map((each) => [each.value, each.body]));
  const result = (
    <>
      {body && <ThresholdScale thresholds={body.thresholds} ruleType={body.rule_type} />}
      <Text component="div" size="sm" aria-live="polite">
        {verdict ? (
          <Mark tone={verdict.severity ?? (verdict.text.startsWith('No alert') ? 'ok' : 'muted')}>
            {verdict.text}
          </Mark>
        ) : body && needsReferenceData(body) ? (
          'The result appears when the source and the deployed version are known.'
        ) : (
          'The result appears when the releases and the deployed version are known.'
        )}
      </Text>
    </>
  );
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
            items: [...readyMade.map(toOption), { value: rulePresetValue(null), label: 'Custom rule' }],
          },
        ]}
        allowDeselect={false}
        searchable={existing.length > 12}
        {...form.getInputProps('rule')}
        value={rule}
        renderOption={({ option }) => {
          const of = bodies.get(option.value);
          const preview = of && previewOf(of);
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
      {isCustom ? (
        <>
          <TextInput label="Rule name" required maxLength={200} {...form.getInputProps('rule_name')} />
          <Suspense fallback={<Loading />}>
            <RuleFields form={form}>{result}</RuleFields>
          </Suspense>
        </>
      ) : (
        result
      )}
    </Stack>
  );
}

const toOption = ({ value, label }: { value: string; label: string }) => ({ value, label });
