import { Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { GatherJobPicker, RulePicker, ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { ExistingConfigLink } from '../../components/existing-config-link.tsx';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { LabelEditor } from '../../components/label-editor.tsx';
import { PatternField } from '../../components/pattern-field.tsx';
import { HistorySimulation } from '../../components/simulation/history-simulation.tsx';
import type { SimulationSubject } from '../../components/simulation/use-history-simulation.ts';
import { useSampleReleases } from '../../components/use-sample-releases.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { TextLink } from '../../ui/links.tsx';
import { useRuleTypes } from '../software/fleet-columns.tsx';
import { IgnoredVulnerabilities } from './ignored-vulnerabilities.tsx';
import { OtherEnvironment } from './other-environment.tsx';

export type AlertConfigValues = Schemas['CreateAlertConfigRequest'];

/** Initial values of a new alert configuration, from the query parameters of the page. */
export interface AlertConfigStart {
  scrape_job_id?: number | null;
  gather_job_id?: number | null;
  rule_id?: number | null;
}

/**
 * Creates or edits an alert configuration.
 * @param save Resolves when the server has stored the alert configuration.
 */
export function AlertConfigForm({
  config,
  start = {},
  save,
  submit,
  onCancel,
}: {
  config?: Schemas['AlertConfig'];
  start?: AlertConfigStart;
  save: (values: AlertConfigValues) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const defaults = bodyDefaults.createAlertConfig;
  const form = useForm({
    initialValues: {
      name: config?.name ?? '',
      scrape_job_id: config?.scrape_job_id ?? start.scrape_job_id ?? null,
      gather_job_id: config?.gather_job_id ?? start.gather_job_id ?? null,
      rule_id: config?.rule_id ?? start.rule_id ?? null,
      labels: (config ?? defaults).labels,
      candidate_pattern: config?.candidate_pattern ?? '',
      ignored_versions: (config ?? defaults).ignored_versions,
      counted_versions: (config ?? defaults).counted_versions,
      ignored_vulnerabilities: config?.ignored_vulnerabilities ?? [],
      paid_until: config?.lifecycle_override?.ends_on ?? '',
      paid_note: config?.lifecycle_override?.note ?? '',
    },
    validate: {
      scrape_job_id: (id) => (id === null ? 'Select a version tracker.' : null),
      gather_job_id: (id) => (id === null ? 'Select an upstream source.' : null),
      rule_id: (id) => (id === null ? 'Select a rule.' : null),
    },
  });
  const { scrape_job_id, gather_job_id, rule_id } = form.values;
  const versions = useSampleReleases(gather_job_id).map(({ version }) => version);
  const ruleType = useRuleTypes().get(rule_id ?? 0);
  const isAboutSupport = ruleType !== undefined && ruleTypes[ruleType].kind === 'support';
  const isAboutFindings = ruleType !== undefined && ruleTypes[ruleType].kind === 'vulnerabilities';
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    if (values.scrape_job_id === null || values.gather_job_id === null || values.rule_id === null) return;
    await save({
      name: values.name,
      scrape_job_id: values.scrape_job_id,
      gather_job_id: values.gather_job_id,
      rule_id: values.rule_id,
      labels: values.labels,
      candidate_pattern: values.candidate_pattern === '' ? null : values.candidate_pattern,
      ignored_versions: values.ignored_versions,
      counted_versions: values.counted_versions,
      ignored_vulnerabilities: values.ignored_vulnerabilities.filter(({ id }) => id.trim() !== ''),
      lifecycle_override:
        values.paid_until === '' ? null : { ends_on: values.paid_until, note: values.paid_note },
    });
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label="Name"
          description="For example, Grafana in production."
          required
          {...form.getInputProps('name')}
        />
        <ScrapeJobPicker
          label="Deployed version"
          description={<MakeOne to="/scrape-jobs/new">The version tracker that reports it.</MakeOne>}
          withAsterisk
          value={scrape_job_id}
          onChange={(id) => form.setFieldValue('scrape_job_id', id)}
          error={form.errors['scrape_job_id']}
        />
        <GatherJobPicker
          label="Upstream"
          description={<MakeOne to="/gather-jobs/new">The upstream source to compare with.</MakeOne>}
          withAsterisk
          value={gather_job_id}
          onChange={(id) => form.setFieldValue('gather_job_id', id)}
          error={form.errors['gather_job_id']}
        />
        <OtherEnvironment onGatherJob={(id) => form.setFieldValue('gather_job_id', id)} />
        <RulePicker
          label="Rule"
          description={<MakeOne to="/rules/new">Sets how far behind is too far.</MakeOne>}
          withAsterisk
          value={rule_id}
          onChange={(id) => form.setFieldValue('rule_id', id)}
          error={form.errors['rule_id']}
        />
        <LabelEditor
          value={form.values.labels}
          onChange={(labels) => form.setFieldValue('labels', labels)}
          error={fieldErrorOf(form.errors, 'labels')}
        />
        <PatternField
          label="Version filter"
          description={
            'Only compare with releases that match this pattern. For example, ^15\\. stays on 15.x. Leave empty for all releases.'
          }
          samples={versions}
          samplesLabel="Sample versions"
          whenMissed="This release isn't compared."
          {...form.getInputProps('candidate_pattern')}
        />
        <TagsInput
          label="Ignored versions"
          description="Releases to skip, such as known-bad ones. Press Enter after each."
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('ignored_versions')}
          error={fieldErrorOf(form.errors, 'ignored_versions')}
        />
        <TagsInput
          label="Counted versions"
          description="Releases to compare even though their version numbers are unusual. Press Enter after each."
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('counted_versions')}
          error={fieldErrorOf(form.errors, 'counted_versions')}
        />
        {isAboutFindings && (
          <IgnoredVulnerabilities
            value={form.values.ignored_vulnerabilities}
            onChange={(ignored) => form.setFieldValue('ignored_vulnerabilities', ignored)}
            error={fieldErrorOf(form.errors, 'ignored_vulnerabilities')}
          />
        )}
        {isAboutSupport && (
          <Group grow align="flex-start">
            <TextInput
              type="date"
              label="Paid support until"
              description="Leave empty if you haven't bought any."
              {...form.getInputProps('paid_until')}
              error={form.errors['lifecycle_override.ends_on']}
            />
            <TextInput
              label="Note"
              description="For example, the number of the contract."
              {...form.getInputProps('paid_note')}
            />
          </Group>
        )}
        <HistorySimulation simulated={simulatedOf(form.values, config)} />
        <ExistingConfigLink error={error} />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/**
 * Returns the simulation request for the form values, or `null` until a version tracker, an upstream source,
 * and a rule are selected.
 */
function simulatedOf(
  values: AlertConfigStart &
    Pick<Schemas['AlertConfig'], 'ignored_versions' | 'counted_versions' | 'labels'> & {
      candidate_pattern: string;
    },
  config: Schemas['AlertConfig'] | undefined,
): SimulationSubject | null {
  const { scrape_job_id, gather_job_id, rule_id, candidate_pattern, ...rest } = values;
  if (scrape_job_id == null || gather_job_id == null || rule_id == null) return null;
  const { labels, ignored_versions, counted_versions } = rest;
  const alert_config = {
    scrape_job_id,
    gather_job_id,
    rule_id,
    labels,
    ignored_versions,
    counted_versions,
    candidate_pattern: candidate_pattern === '' ? null : candidate_pattern,
  };
  return { kind: 'alert_config', body: { alert_config, ...(config && { alert_config_id: config.id }) } };
}

function MakeOne({
  to,
  children,
}: {
  to: '/scrape-jobs/new' | '/gather-jobs/new' | '/rules/new';
  children: string;
}) {
  return (
    <Text span inherit>
      {children}{' '}
      <TextLink to={to} inherit underline="always">
        Create one
      </TextLink>
    </Text>
  );
}
