import { NumberInput, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { CronField } from '../../components/cron-field.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { monoInput } from '../../components/mono-input.ts';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { ParserPreview } from './parser-preview.tsx';
import { parserOptions, parsers, transformOptions } from './parser-types.ts';

type ScrapeJob = Schemas['ScrapeJob'];
export type ScrapeJobValues = Schemas['CreateScrapeJobRequest'];

const fileParserOptions = parserOptions.filter(({ value }) => value !== 'manual');

/** Makes or changes a scrape job. @param save resolves when the server has taken it. */
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
      repository_url: job?.repository_url ?? '',
      ref: job?.ref ?? '',
      target_file: job?.target_file ?? '',
      parse_expression: job?.parse_expression ?? '',
      version_transform: (job ?? defaults).version_transform,
      credential_name: job?.credential_name ?? '',
      cron_expression: (job ? job.cron_expression : suggestedSchedules.deployed) ?? '',
      cron_timezone: (job ?? defaults).cron_timezone,
      history_limit: (job ?? defaults).history_limit,
    },
  });
  const { parser_type, parse_expression, version_transform } = form.values;
  const parser = parser_type === 'manual' ? null : parser_type;
  const { onSubmit, error, isBusy } = useSubmit(form, (values) => save(requestOf(values)));
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        {!job && (
          <div>
            <SegmentedControl
              aria-label="Version source"
              data={[
                { value: 'file', label: 'Git repository' },
                { value: 'manual', label: 'Manual or CI' },
              ]}
              value={parser === null ? 'manual' : 'file'}
              onChange={(kind) => form.setFieldValue('parser_type', kind === 'manual' ? 'manual' : 'yq')}
            />
            <Text size="xs" c="var(--text-muted)" mt={4}>
              {parser === null
                ? 'Enter the version yourself, or have your pipeline report it after each deployment.'
                : 'An agent reads one file from a Git repository and extracts the version.'}
            </Text>
          </div>
        )}
        <TextInput
          label="Name"
          placeholder="Grafana in production"
          required
          {...form.getInputProps('name')}
        />
        {parser !== null && (
          <>
            <TextInput
              label="Repository"
              placeholder="https://github.com/example/infrastructure.git"
              required
              spellCheck={false}
              {...form.getInputProps('repository_url')}
            />
            <TextInput
              label="Branch, tag, or commit"
              placeholder="HEAD"
              spellCheck={false}
              {...form.getInputProps('ref')}
            />
            <TextInput
              label="File"
              placeholder={parsers[parser].example.file}
              required
              spellCheck={false}
              {...form.getInputProps('target_file')}
            />
            <Select
              label="Parser"
              data={fileParserOptions}
              allowDeselect={false}
              {...form.getInputProps('parser_type')}
            />
            <TextInput
              label={parser === 'regex' ? 'Pattern' : 'Path'}
              description={parsers[parser].about}
              placeholder={parsers[parser].example.expression}
              required
              spellCheck={false}
              styles={monoInput}
              {...form.getInputProps('parse_expression')}
            />
          </>
        )}
        <Select
          label="Version transform"
          description="Matches the format of the upstream releases. Comparisons treat 1.2.3 and v1.2.3 as equal."
          data={transformOptions}
          allowDeselect={false}
          {...form.getInputProps('version_transform')}
        />
        {parser !== null && (
          <>
            <ParserPreview tried={{ parser_type: parser, parse_expression, version_transform }} />
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
          label="Versions to keep"
          description="Unchanged versions are removed first. The newest is always kept."
          min={1}
          max={10_000}
          allowDecimal={false}
          {...form.getInputProps('history_limit')}
        />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface FormValues {
  name: string;
  parser_type: Schemas['ParserType'];
  repository_url: string;
  ref: string;
  target_file: string;
  parse_expression: string;
  version_transform: Schemas['VersionTransform'];
  credential_name: string;
  cron_expression: string;
  cron_timezone: string;
  history_limit: number | string;
}

function requestOf(values: FormValues): ScrapeJobValues {
  const { name, parser_type, version_transform } = values;
  const both = {
    name,
    parser_type,
    version_transform,
    ...(values.history_limit !== '' && { history_limit: Number(values.history_limit) }),
  };
  if (parser_type === 'manual') return both;
  return {
    ...both,
    repository_url: values.repository_url,
    ref: values.ref.trim() === '' ? 'HEAD' : values.ref,
    target_file: values.target_file,
    parse_expression: values.parse_expression,
    credential_name: values.credential_name.trim() === '' ? null : values.credential_name,
    cron_expression: values.cron_expression.trim() === '' ? null : values.cron_expression,
    cron_timezone: values.cron_timezone,
  };
}
