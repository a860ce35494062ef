import { Anchor, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { GatherJobPicker, RulePicker, ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { LabelEditor } from '../../components/label-editor.tsx';
import { PatternField } from '../../components/pattern-field.tsx';
import { useSampleReleases } from '../../components/use-sample-releases.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { useSubmit } from '../../ui/use-submit.ts';

export type AlertConfigValues = Schemas['CreateAlertConfigRequest'];

/** What a new one begins with, from the address of the page. */
export interface AlertConfigStart {
  scrape_job_id?: number | null;
  gather_job_id?: number | null;
  rule_id?: number | null;
}

/** Makes or changes an alert configuration. @param save resolves when the server has taken it. */
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
  const form = useForm({
    initialValues: {
      name: config?.name ?? '',
      scrape_job_id: config?.scrape_job_id ?? start.scrape_job_id ?? null,
      gather_job_id: config?.gather_job_id ?? start.gather_job_id ?? null,
      rule_id: config?.rule_id ?? start.rule_id ?? null,
      labels: config?.labels ?? {},
      candidate_pattern: config?.candidate_pattern ?? '',
      ignored_versions: config?.ignored_versions ?? [],
    },
    validate: {
      scrape_job_id: (id) => (id === null ? 'Choose what is deployed.' : null),
      gather_job_id: (id) => (id === null ? 'Choose what it is compared with.' : null),
      rule_id: (id) => (id === null ? 'Choose a rule.' : null),
    },
  });
  const { scrape_job_id, gather_job_id, rule_id } = form.values;
  const versions = useSampleReleases(gather_job_id).map(({ version }) => version);
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
    });
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label="Name"
          placeholder="Grafana in production"
          required
          {...form.getInputProps('name')}
        />
        <ScrapeJobPicker
          label="What is deployed"
          description={<MakeOne to="/scrape-jobs/new">A scrape job knows it.</MakeOne>}
          withAsterisk
          value={scrape_job_id}
          onChange={(id) => form.setFieldValue('scrape_job_id', id)}
          error={form.errors['scrape_job_id']}
        />
        <GatherJobPicker
          label="What exists"
          description={<MakeOne to="/gather-jobs/new">A gather job follows it.</MakeOne>}
          withAsterisk
          value={gather_job_id}
          onChange={(id) => form.setFieldValue('gather_job_id', id)}
          error={form.errors['gather_job_id']}
        />
        <RulePicker
          label="How far behind is too far"
          description={<MakeOne to="/rules/new">A rule says it.</MakeOne>}
          withAsterisk
          value={rule_id}
          onChange={(id) => form.setFieldValue('rule_id', id)}
          error={form.errors['rule_id']}
        />
        <LabelEditor
          value={form.values.labels}
          onChange={(labels) => form.setFieldValue('labels', labels)}
          error={errorsOf(form.errors, 'labels')}
        />
        <PatternField
          label="Compare only releases that match"
          description={'To stay on a line: ^15\\. compares with 15.x only. Empty: all releases.'}
          placeholder="^15\."
          samples={versions}
          samplesLabel="Sample versions"
          whenMissed="This release isn't compared."
          {...form.getInputProps('candidate_pattern')}
        />
        <TagsInput
          label="Ignored versions"
          description="Releases that are never compared, such as one known to be broken. Press Enter after each."
          placeholder={form.values.ignored_versions.length === 0 ? '1.2.3' : undefined}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('ignored_versions')}
          error={errorsOf(form.errors, 'ignored_versions')}
        />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
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
      <Anchor component={Link} to={to} inherit underline="always">
        Make one
      </Anchor>
    </Text>
  );
}

/** What is wrong with a field or with a member of it. */
function errorsOf(errors: Readonly<Record<string, React.ReactNode>>, field: string): React.ReactNode {
  return Object.entries(errors).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
}
