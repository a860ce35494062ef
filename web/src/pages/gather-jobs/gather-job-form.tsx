import { Accordion, Group, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { changelogRepository } from '../../../../src/domain/notes/changelog-repository.ts';
import { scrapeJobOf } from '../../../../src/domain/source-types/deployed-versions-source-type.ts';
import { isGathered, sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { ArtifactField, toArtifactName } from '../../components/artifact-field.tsx';
import { CredentialField } from '../../components/credential-field.tsx';
import { CronField } from '../../components/cron-field.tsx';
import { ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { PatternField } from '../../components/pattern-field.tsx';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSampleReleases } from '../../components/use-sample-releases.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { nameAfter, nameOf } from './derived-name.ts';
import { IdentityFields } from './identity-fields.tsx';
import { ProductField } from './lifecycle-job.tsx';
import { LinesPreview } from './lines-preview.tsx';
import { listOrDerived } from './list-or-derived.ts';
import { SourceOptionFields } from './source-option-fields.tsx';
import { sourceOptionValues, toSourceOptions } from './source-option-values.ts';
import { SourceTypeField } from './source-type-field.tsx';
import { versionSchemeLabels } from './version-scheme-labels.ts';

type GatherJob = Schemas['GatherJob'];
export type GatherJobValues = Schemas['CreateGatherJobRequest'];

/**
 * Creates or edits a gather job.
 * @param save Resolves when the server has stored the job.
 */
export function GatherJobForm({
  job,
  save,
  submit,
  onCancel,
}: {
  job?: GatherJob;
  save: (values: GatherJobValues) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  const defaults = bodyDefaults.createGatherJob;
  const form = useForm({
    initialValues: {
      name: job?.name ?? '',
      source_type: job?.source_type ?? 'github_releases',
      artifact_name: job?.artifact_name ?? '',
      source_options: sourceOptionValues(job?.source_options),
      // An empty value means the default scheme of the source.
      version_scheme: (job?.version_scheme ?? '') as Schemas['VersionScheme'] | '',
      version_pattern: job?.version_pattern ?? '',
      include_prereleases: (job ?? defaults).include_prereleases,
      max_releases: (job?.max_releases ?? '') as number | '',
      ignored_versions: (job ?? defaults).ignored_versions,
      counted_versions: (job ?? defaults).counted_versions,
      purls: job?.purls ?? [],
      project_url: job?.project_url ?? '',
      version_of: (job ?? defaults).version_of,
      lifecycle_product: job?.lifecycle_product_source === 'set' ? (job.lifecycle_product ?? '') : '',
      vulnerability_packages: job?.vulnerability_packages_source === 'set' ? job.vulnerability_packages : [],
      changelog_path: job?.changelog_path ?? '',
      cron_expression: (job ? job.cron_expression : suggestedSchedules.upstream) ?? '',
      cron_timezone: (job ?? defaults).cron_timezone,
      credential_name: job?.credential_name ?? '',
    },
  });
  const { source_type, source_options } = form.values;
  const artifact = toArtifactName(source_type, form.values.artifact_name);
  // Until the user selects a source type, it's derived from the pasted text.
  const [isTypeChosen, chooseType] = useState(job !== undefined);
  const tags = useSampleReleases(job?.id ?? null).map(({ tag }) => tag);
  const isManaged = job !== undefined && job.helm_sync_job_id !== null;
  const isFollowing = source_type === 'deployed_versions';
  const isLifecycle = source_type === 'lifecycle';
  // Only jobs whose releases an agent collects have runs, and thus a schedule and read options.
  const hasRuns = isGathered(source_type);
  const hasChangelog = changelogRepository(source_type, artifact) !== null;
  const setArtifact = (typed: string) => {
    form.setFieldValue('artifact_name', typed);
    form.setFieldValue('name', nameAfter(form.values.name, artifact, toArtifactName(source_type, typed)));
  };
  const { onSubmit, error, isBusy } = useSubmit(form, (values) => {
    const { version_scheme, version_pattern, max_releases, cron_expression, credential_name, ...others } =
      values;
    const { purls, project_url, version_of, lifecycle_product, changelog_path, ...further } = others;
    const { vulnerability_packages, ...rest } = further;
    return save({
      ...rest,
      name: rest.name.trim() === '' ? nameOf(artifact) : rest.name,
      source_options: toSourceOptions(source_type, source_options),
      // An update without a scheme keeps the stored one, so the default is sent explicitly.
      ...(version_scheme !== '' && { version_scheme }),
      ...(version_scheme === '' &&
        job !== undefined && { version_scheme: sourceTypes[source_type].defaultVersionScheme }),
      version_pattern: version_pattern === '' ? null : version_pattern,
      max_releases: max_releases === '' ? null : max_releases,
      purls: listOrDerived(purls, job?.purls_source === 'set' ? job.purls : null),
      project_url: project_url.trim() === '' ? null : project_url,
      version_of: source_type === 'helm_repository' ? version_of : 'artifact',
      lifecycle_product: isLifecycle ? artifact : lifecycle_product === '' ? null : lifecycle_product,
      vulnerability_packages: listOrDerived(
        vulnerability_packages,
        job?.vulnerability_packages_source === 'set' ? job.vulnerability_packages : null,
      ),
      changelog_path: hasChangelog && changelog_path.trim() !== '' ? changelog_path.trim() : null,
      cron_expression: cron_expression.trim() === '' ? null : cron_expression,
      credential_name: credential_name.trim() === '' ? null : credential_name,
      ...(!hasRuns && {
        cron_expression: null,
        credential_name: null,
        version_pattern: null,
        max_releases: null,
      }),
    });
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        {!isManaged && (
          <SourceTypeField
            {...form.getInputProps('source_type')}
            onChange={(type) => {
              chooseType(true);
              form.setFieldValue('source_type', type);
            }}
          />
        )}
        {isFollowing && (
          <ScrapeJobPicker
            label="Version tracker"
            description="Its versions are the releases, such as those of staging."
            withAsterisk
            value={scrapeJobOf(artifact)}
            onChange={(id) => setArtifact(id === null ? '' : `scrape-job/${id}`)}
            error={form.errors.artifact_name}
          />
        )}
        {isLifecycle && (
          <ProductField
            value={form.values.artifact_name}
            onChange={setArtifact}
            error={form.errors['artifact_name'] ?? form.errors['lifecycle_product']}
          />
        )}
        {!isManaged && hasRuns && (
          <ArtifactField
            label="Artifact"
            sourceType={source_type}
            onSourceType={isTypeChosen ? undefined : (type) => form.setFieldValue('source_type', type)}
            {...form.getInputProps('artifact_name')}
            onChange={setArtifact}
          />
        )}
        <TextInput
          label="Name"
          description={`Leave empty to use ${artifact === '' ? 'the name of the artifact' : nameOf(artifact)}.`}
          {...form.getInputProps('name')}
        />
        {!isManaged && <SourceOptionFields form={form} sourceType={source_type} />}
        {!isManaged && hasRuns && (
          <CronField
            value={form.values.cron_expression}
            onChange={(value) => form.setFieldValue('cron_expression', value)}
            error={form.errors.cron_expression}
            timeZone={form.values.cron_timezone}
            onTimeZoneChange={(value) => form.setFieldValue('cron_timezone', value)}
            timeZoneError={form.errors.cron_timezone}
          />
        )}
        {!isLifecycle && (
          <Accordion variant="contained" multiple defaultValue={hasDetails(job) ? ['details'] : []}>
            <Accordion.Item value="details">
              <Accordion.Control>Advanced options</Accordion.Control>
              <Accordion.Panel>
                <Stack gap="sm">
                  <PatternField
                    label="Version pattern"
                    description="Keep only tags that match. The version is the first capture group, or the whole match if there is none. Leave empty to keep all tags."
                    example="^v(\d+\.\d+\.\d+)$"
                    samples={tags.length > 0 ? tags : ['v1.2.3']}
                    samplesLabel="Sample tags"
                    whenMissed="This tag is excluded."
                    {...form.getInputProps('version_pattern')}
                  />
                  <Group grow align="flex-start">
                    <Select
                      label="Version scheme"
                      data={[
                        { value: '', label: 'Default for this source' },
                        ...Object.entries(versionSchemeLabels).map(([value, label]) => ({ value, label })),
                      ]}
                      allowDeselect={false}
                      {...form.getInputProps('version_scheme')}
                    />
                    <NumberInput
                      label="Releases to keep"
                      description="Keeps the highest versions of each variant. Leave empty for the default of the organization."
                      min={1}
                      max={100_000}
                      allowDecimal={false}
                      inputWrapperOrder={['label', 'input', 'description', 'error']}
                      {...form.getInputProps('max_releases')}
                    />
                  </Group>
                  <TagsInput
                    label="Ignored versions"
                    description="Releases that all monitors skip, such as known-bad ones. Press Enter after each."
                    splitChars={[',', ' ']}
                    acceptValueOnBlur
                    {...form.getInputProps('ignored_versions')}
                    error={fieldErrorOf(form.errors, 'ignored_versions')}
                  />
                  <TagsInput
                    label="Counted versions"
                    description="Releases that all monitors compare even though their version numbers are unusual. Press Enter after each."
                    splitChars={[',', ' ']}
                    acceptValueOnBlur
                    {...form.getInputProps('counted_versions')}
                    error={fieldErrorOf(form.errors, 'counted_versions')}
                  />
                  <IdentityFields form={form} sourceType={source_type} />
                  {hasChangelog && (
                    <TextInput
                      label="Changelog"
                      description="Path of a changelog in the repository, for releases without notes. For example, CHANGELOG.md. Leave empty to read none."
                      {...form.getInputProps('changelog_path')}
                    />
                  )}
                  {!isManaged && <CredentialField {...form.getInputProps('credential_name')} />}
                  <Switch
                    label="Include pre-releases"
                    description="Rules ignore pre-releases unless configured otherwise."
                    {...form.getInputProps('include_prereleases', { type: 'checkbox' })}
                  />
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
            <Accordion.Item value="preview">
              <Accordion.Control>Preview lines and variants</Accordion.Control>
              <Accordion.Panel>
                <LinesPreview
                  jobId={job?.id ?? null}
                  reading={{
                    source_type,
                    version_pattern: form.values.version_pattern === '' ? null : form.values.version_pattern,
                    include_prereleases: form.values.include_prereleases,
                    ...(form.values.version_scheme !== '' && { version_scheme: form.values.version_scheme }),
                  }}
                  onPattern={(pattern) => form.setFieldValue('version_pattern', pattern)}
                />
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        )}
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

function hasDetails(job: GatherJob | undefined): boolean {
  return job !== undefined && (job.version_pattern !== null || job.credential_name !== null);
}
