import { NumberInput, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { CronField } from '../../components/cron-field.tsx';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { LabelEditor } from '../../components/label-editor.tsx';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import wrapping from '../../ui/wrapping-control.module.css';
import { transformOptions } from './parser-types.ts';
import { TrackerFields } from './tracker-fields.tsx';
import {
  initialParsers,
  sourceAbout,
  type TrackerValues,
  trackedParserOf,
  trackerRequestFields,
} from './tracker-values.ts';

type ScrapeJob = Schemas['ScrapeJob'];
type Source = Schemas['ScrapeSource'];
export type ScrapeJobValues = Schemas['CreateScrapeJobRequest'];

/**
 * Creates or edits a scrape job.
 * @param save Resolves when the server has stored the job.
 */
export function ScrapeJobForm({
  job,
  save,
  submit,
  onCancel,
}: {
  job?: ScrapeJob;
  save: (values: ScrapeJobValues) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const defaults = bodyDefaults.createScrapeJob;
  const form = useForm({
    initialValues: {
      name: job?.name ?? '',
      parser_type: job?.parser_type ?? 'yq',
      source: (job ?? defaults).source,
      repository_url: job?.repository_url ?? '',
      ref: job?.ref ?? '',
      target_file: job?.target_file ?? '',
      url: job?.url ?? '',
      query: job?.query ?? '',
      label: job?.label ?? 'version',
      series: (job ?? defaults).series,
      parse_expression: job?.parse_expression ?? '',
      version_transform: (job ?? defaults).version_transform,
      credential_name: job?.credential_name ?? '',
      cron_expression: (job ? job.cron_expression : suggestedSchedules.deployed) ?? '',
      cron_timezone: (job ?? defaults).cron_timezone,
      history_limit: (job ?? defaults).history_limit,
      labels: (job ?? defaults).labels,
    },
  });
  const { source } = form.values;
  const parser = trackedParserOf(form.values);
  const { onSubmit, error, isBusy } = useSubmit(form, (values) => save(requestOf(values)));
  const transform = (
    <Select
      label="Version transform"
      description="Matches the format of the upstream releases. Comparisons treat 1.2.3 and v1.2.3 as equal."
      data={transformOptions}
      allowDeselect={false}
      {...form.getInputProps('version_transform')}
    />
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        {!job && (
          <div>
            <SegmentedControl
              aria-label="Version source"
              data={sourceOptions}
              value={parser === null ? 'manual' : source}
              onChange={(kind) => {
                form.setFieldValue('source', kind === 'manual' ? 'git' : (kind as Source));
                form.setFieldValue(
                  'parser_type',
                  kind === 'manual' ? 'manual' : initialParsers[kind as Source],
                );
                form.setFieldValue('parse_expression', '');
              }}
              className={wrapping.control}
            />
            <Text size="xs" c="var(--text-muted)" mt={4}>
              {parser === null
                ? 'Enter the version yourself, or have your pipeline report it after each deployment.'
                : sourceAbout[source]}
            </Text>
          </div>
        )}
        <TextInput
          label="Name"
          description="For example, Grafana in production."
          required
          {...form.getInputProps('name')}
        />
        {parser === null ? (
          transform
        ) : (
          <>
            <TrackerFields
              values={form.values}
              parser={parser}
              errors={form.errors}
              inputProps={(field) => form.getInputProps(field)}
              change={form.setValues}
              transform={transform}
            />
            <CronField
              value={form.values.cron_expression}
              onChange={(value) => form.setFieldValue('cron_expression', value)}
              error={form.errors.cron_expression}
              timeZone={form.values.cron_timezone}
              onTimeZoneChange={(value) => form.setFieldValue('cron_timezone', value)}
              timeZoneError={form.errors.cron_timezone}
            />
            <CredentialField {...form.getInputProps('credential_name')} />
          </>
        )}
        <NumberInput
          label="Snapshots to keep"
          description="Maximum number of snapshots without a version change. Version changes are kept for the period in the settings."
          min={1}
          max={10_000}
          allowDecimal={false}
          {...form.getInputProps('history_limit')}
        />
        <LabelEditor
          description="Monitors inherit these unless they have a label with the same key. The Environments page groups by the labels service, component, and environment."
          value={form.values.labels}
          onChange={(labels) => form.setFieldValue('labels', labels)}
          error={fieldErrorOf(form.errors, 'labels')}
        />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

const sourceOptions = [
  { value: 'git', label: 'Git repository' },
  { value: 'http', label: 'HTTP' },
  { value: 'prometheus', label: 'Prometheus' },
  { value: 'manual', label: 'Manual or CI' },
];

interface FormValues extends TrackerValues {
  name: string;
  credential_name: string;
  cron_expression: string;
  cron_timezone: string;
  history_limit: number | string;
  labels: Record<string, string>;
}

function requestOf(values: FormValues): ScrapeJobValues {
  const { name, parser_type, version_transform } = values;
  const both = {
    name,
    // Only the form of an existing job can have `discovered`, which the server accepts if it's unchanged.
    parser_type: parser_type as Schemas['ParserType'],
    version_transform,
    labels: values.labels,
    ...(values.history_limit !== '' && { history_limit: Number(values.history_limit) }),
  };
  if (parser_type === 'manual' || parser_type === 'discovered') return both;
  return {
    ...both,
    ...trackerRequestFields(values),
    credential_name: values.credential_name.trim() === '' ? null : values.credential_name,
    cron_expression: values.cron_expression.trim() === '' ? null : values.cron_expression,
    cron_timezone: values.cron_timezone,
  };
}
