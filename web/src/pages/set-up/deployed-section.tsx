import { Autocomplete, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { LabelEditor } from '../../components/label-editor.tsx';
import { TextLink } from '../../ui/links.tsx';
import wrapping from '../../ui/wrapping-control.module.css';
import { TrackerFields } from '../scrape-jobs/tracker-fields.tsx';
import { initialParsers, sourceAbout, trackedParserOf } from '../scrape-jobs/tracker-values.ts';
import type { DeployedVersionSource, SoftwareForm } from './software-values.ts';

const ways: readonly { value: DeployedVersionSource; label: string }[] = [
  { value: 'manual', label: 'Enter it manually' },
  { value: 'git', label: 'Git repository' },
  { value: 'http', label: 'HTTP' },
  { value: 'prometheus', label: 'Prometheus' },
  { value: 'existing', label: 'Existing tracker' },
];

const about: Record<DeployedVersionSource, string> = {
  ...sourceAbout,
  manual: 'The fastest way to start. Your pipeline can report versions later.',
  existing: 'Use an existing version tracker.',
};

/** Section for the deployed software: the source of its version, its name, and its labels. */
export function DeployedSection({
  form,
  versions,
  suggestedName,
  environmentKey,
  serviceKey,
  onVersion,
}: {
  form: SoftwareForm;
  /** Versions of the releases, shown as suggestions. */
  versions: readonly string[];
  suggestedName: string;
  environmentKey: string;
  serviceKey: string;
  /** Called when a preview finds a version. */
  onVersion: (version: string) => void;
}) {
  const { values } = form;
  const { way } = values;
  const parser = trackedParserOf(values);
  const choose = (next: DeployedVersionSource) => {
    form.setFieldValue('way', next);
    if (next === 'manual' || next === 'existing') return;
    form.setValues({ source: next, parser_type: initialParsers[next], parse_expression: '' });
  };
  return (
    <Stack gap="sm" maw={720}>
      <div>
        <SegmentedControl
          aria-label="Version source"
          data={[...ways]}
          value={way}
          onChange={(next) => choose(next as DeployedVersionSource)}
          className={wrapping.control}
        />
        <Text size="sm" c="var(--text-muted)" mt={6}>
          {about[way]} For everything in a cluster, on a host, or in a repository at once, use{' '}
          <TextLink to="/discovery" inherit underline="always">
            Discovery
          </TextLink>
          .
        </Text>
      </div>
      {way === 'manual' && (
        <Autocomplete
          label="Deployed version"
          description={`For example, ${versions[0] ?? '1.2.3'}.`}
          // Hide the suggestions when the version, with or without a `v`, equals one of them.
          data={
            versions.some((version) => withoutV(version) === withoutV(values.version)) ? [] : [...versions]
          }
          limit={20}
          maxDropdownHeight={160}
          required
          maxLength={256}
          spellCheck={false}
          {...form.getInputProps('version')}
        />
      )}
      {way === 'existing' && (
        <ScrapeJobPicker
          label="Version tracker"
          withAsterisk
          value={values.scrape_job_id}
          onChange={(id) => form.setFieldValue('scrape_job_id', id)}
          error={form.errors['scrape_job_id']}
        />
      )}
      {way !== 'manual' && way !== 'existing' && parser !== null && (
        <>
          <TrackerFields
            key={way}
            values={{ ...values, source: way }}
            parser={parser}
            errors={form.errors}
            inputProps={(field) => form.getInputProps(field)}
            change={form.setValues}
            onVersion={onVersion}
          />
          <CredentialField {...form.getInputProps('deployed_credential')} />
        </>
      )}
      <TextInput
        label="Name"
        description={
          suggestedName === '' ? 'For example, Grafana.' : `Leave empty to use the name ${suggestedName}.`
        }
        required={suggestedName === ''}
        maxLength={200}
        {...form.getInputProps('name')}
      />
      {way !== 'existing' && <Labels form={form} environmentKey={environmentKey} serviceKey={serviceKey} />}
    </Stack>
  );
}

function Labels({
  form,
  environmentKey,
  serviceKey,
}: {
  form: SoftwareForm;
  environmentKey: string;
  serviceKey: string;
}) {
  const { data } = useApi('getSoftwareLabels');
  const valuesOf = useMemo(() => Map.groupBy(data?.items ?? [], ({ key }) => key), [data]);
  const suggestions = (key: string) => (valuesOf.get(key) ?? []).map(({ value }) => value);
  return (
    <>
      <div
        style={{
          display: 'grid',
          gap: 'var(--mantine-spacing-sm)',
          gridTemplateColumns: 'repeat(auto-fit, minmax(14rem, 1fr))',
        }}
      >
        <Autocomplete
          label="Environment"
          // The example is the most common environment, so that users don't enter a second name for it.
          description={`For example, ${suggestions(environmentKey)[0] ?? 'production'}.`}
          data={suggestions(environmentKey)}
          {...form.getInputProps('environment')}
        />
        <Autocomplete
          label="Service"
          description={`For example, ${suggestions(serviceKey)[0] ?? 'shop'}.`}
          data={suggestions(serviceKey)}
          {...form.getInputProps('service')}
        />
      </div>
      <LabelEditor
        title="Other labels"
        value={form.values.labels}
        onChange={(labels) => form.setFieldValue('labels', labels)}
        error={fieldErrorOf(form.errors, 'labels')}
      />
    </>
  );
}

const withoutV = (version: string) => version.trim().replace(/^v/i, '');
