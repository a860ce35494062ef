import { NumberInput, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { CronField } from '../../components/cron-field.tsx';
import { errorsOf } from '../../components/errors-of.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { LabelEditor } from '../../components/label-editor.tsx';
import { monoInput } from '../../components/mono-input.ts';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { ParserPreview } from './parser-preview.tsx';
import { parserOptions, parsers, transformOptions } from './parser-types.ts';
import { SourcePreview } from './source-preview.tsx';

type ScrapeJob = Schemas['ScrapeJob'];
type Source = Schemas['ScrapeSource'];
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
  const { parser_type, source, parse_expression, version_transform } = form.values;
  const [chosenCount, setChosenCount] = useState(0);
  const parser = parser_type === 'manual' || parser_type === 'discovered' ? null : parser_type;
  const { onSubmit, error, isBusy } = useSubmit(form, (values) => save(requestOf(values)));
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        {!job && (
          <div>
            {/* On a phone it scrolls by itself. */}
            <div style={{ overflowX: 'auto' }}>
              <SegmentedControl
                aria-label="Version source"
                data={sourceOptions}
                value={parser === null ? 'manual' : source}
                onChange={(kind) => {
                  form.setFieldValue('source', kind === 'manual' ? 'git' : (kind as Source));
                  form.setFieldValue('parser_type', initialParsers[kind as Source] ?? 'manual');
                  form.setFieldValue('parse_expression', '');
                }}
              />
            </div>
            <Text size="xs" c="var(--text-muted)" mt={4}>
              {parser === null
                ? 'Enter the version yourself, or have your pipeline report it after each deployment.'
                : sourceAbout[source]}
            </Text>
          </div>
        )}
        <TextInput
          label="Name"
          placeholder="Grafana in production"
          required
          {...form.getInputProps('name')}
        />
        {parser !== null && source === 'git' && (
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
          </>
        )}
        {parser !== null && source !== 'git' && (
          <TextInput
            label={source === 'http' ? 'URL' : 'Prometheus server'}
            placeholder={
              source === 'http' ? 'https://grafana.example.org/api/health' : 'https://prometheus.example.org'
            }
            required
            spellCheck={false}
            {...form.getInputProps('url')}
          />
        )}
        {parser !== null && source === 'prometheus' && (
          <>
            <TextInput
              label="Query"
              description="An instant query. Trackers with the same server and query share one request."
              placeholder={'api_build_info{namespace="shop"}'}
              required
              spellCheck={false}
              styles={monoInput}
              {...form.getInputProps('query')}
            />
            <TextInput
              label="Version label"
              description="The label whose value is the version."
              placeholder="version"
              required
              spellCheck={false}
              {...form.getInputProps('label')}
            />
            <LabelEditor
              // It keeps incomplete pairs in its own state, so a choice in the preview resets it.
              key={chosenCount}
              title="Series"
              names={/^[A-Za-z_][A-Za-z0-9_.:]*$/}
              description="Labels that the series of this tracker have. Leave empty if the query returns one version."
              value={form.values.series}
              onChange={(series) => form.setFieldValue('series', series)}
              error={errorsOf(form.errors, 'series')}
            />
            <TextInput
              label="Pattern"
              description="An RE2 pattern for the label. Leave empty to use the whole label."
              placeholder="^v?(.+)$"
              spellCheck={false}
              styles={monoInput}
              {...form.getInputProps('parse_expression')}
            />
          </>
        )}
        {parser !== null && source !== 'prometheus' && (
          <>
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
            {source === 'git' ? (
              <ParserPreview tried={{ parser_type: parser, parse_expression, version_transform }} />
            ) : (
              <SourcePreview
                tried={sourceToTry(form.values, source, parser)}
                choose={(series) => {
                  form.setFieldValue('series', series);
                  setChosenCount((count) => count + 1);
                }}
              />
            )}
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
        <LabelEditor
          description="Monitors inherit these unless they have a label with the same key. Environments uses service, component, and environment."
          value={form.values.labels}
          onChange={(labels) => form.setFieldValue('labels', labels)}
          error={errorsOf(form.errors, 'labels')}
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

const sourceAbout: Record<Source, string> = {
  git: 'An agent reads one file from a Git repository and extracts the version.',
  http: 'An agent requests a URL and extracts the version from the response.',
  prometheus: 'An agent sends a query to a Prometheus server and reads the version from a label.',
};

const initialParsers: Partial<Record<string, Schemas['ParserType']>> = {
  git: 'yq',
  http: 'yq',
  prometheus: 'regex',
};

/** What the preview sends. */
function sourceToTry(
  values: FormValues,
  source: 'http' | 'prometheus',
  parser: 'yq' | 'jq' | 'regex',
): Schemas['PreviewScrapeSourceRequest'] {
  const { url, query, label, series, version_transform } = values;
  const parse_expression = values.parse_expression.trim() === '' ? null : values.parse_expression;
  const both = { source, url, parser_type: parser, parse_expression, version_transform };
  return source === 'http' ? both : { ...both, query, label, series };
}

interface FormValues {
  name: string;
  source: Source;
  url: string;
  query: string;
  label: string;
  series: Record<string, string>;
  parser_type: Schemas['ScrapeJobParserType'];
  repository_url: string;
  ref: string;
  target_file: string;
  parse_expression: string;
  version_transform: Schemas['VersionTransform'];
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
    // Only the form of an existing job has `discovered`, which the server takes back unchanged.
    parser_type: parser_type as Schemas['ParserType'],
    version_transform,
    labels: values.labels,
    ...(values.history_limit !== '' && { history_limit: Number(values.history_limit) }),
  };
  if (parser_type === 'manual' || parser_type === 'discovered') return both;
  const { source } = values;
  const isPrometheus = source === 'prometheus';
  return {
    ...both,
    source,
    repository_url: source === 'git' ? values.repository_url : null,
    ref: source !== 'git' ? null : values.ref.trim() === '' ? 'HEAD' : values.ref,
    target_file: source === 'git' ? values.target_file : null,
    url: source === 'git' ? null : values.url,
    query: isPrometheus ? values.query : null,
    label: isPrometheus ? values.label : null,
    series: isPrometheus ? values.series : {},
    parse_expression: isPrometheus && values.parse_expression.trim() === '' ? null : values.parse_expression,
    credential_name: values.credential_name.trim() === '' ? null : values.credential_name,
    cron_expression: values.cron_expression.trim() === '' ? null : values.cron_expression,
    cron_timezone: values.cron_timezone,
  };
}
