import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { CustomPatternFields, toCustomExtractors, toPatternRows } from './custom-pattern-fields.tsx';
import {
  DiscoveryJobFields,
  type DiscoveryJobFormProps,
  jobValues,
  toJobRequest,
} from './discovery-job-fields.tsx';

/** Creates or edits a discovery job that scans a repository. */
export function DiscoveryJobForm({ job, save, submit, onCancel, isShort = false }: DiscoveryJobFormProps) {
  const form = useForm({
    initialValues: {
      ...jobValues(job, suggestedSchedules.deployed),
      custom_extractors: toPatternRows((job ?? bodyDefaults.createDiscoveryJob).custom_extractors),
      repository_url: job?.repository_url ?? '',
      ref: job?.ref ?? bodyDefaults.createDiscoveryJob.ref,
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, (values) =>
    save({
      ...values,
      ...toJobRequest(values),
      custom_extractors: toCustomExtractors(values.custom_extractors),
      name: values.name.trim() === '' ? nameOf(values.repository_url) : values.name,
      credential_name: values.credential_name.trim() === '' ? null : values.credential_name,
    }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label="Repository URL"
          description="For example, https://github.com/acme/deployments."
          required
          spellCheck={false}
          {...form.getInputProps('repository_url')}
        />
        <CredentialField {...form.getInputProps('credential_name')} />
        <TextInput
          label="Branch or tag"
          description="HEAD is the default branch."
          spellCheck={false}
          {...form.getInputProps('ref')}
        />
        {!isShort && (
          <>
            <TextInput
              label="Name"
              description="Leave empty to use the name of the repository."
              {...form.getInputProps('name')}
            />
            <DiscoveryJobFields
              form={form}
              include={{
                label: 'Paths to include',
                description:
                  'For example, clusters/prod/. Press Enter after each. Leave empty for all files.',
              }}
              exclude={{
                label: 'Paths to exclude',
                description: 'Dependencies, tests, documentation, and examples are always excluded.',
              }}
            />
            <CustomPatternFields form={form} />
          </>
        )}
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Returns the last path segment of a repository URL. */
function nameOf(url: string): string {
  return (
    url
      .trim()
      .replace(/(?:\.git)?\/*$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  );
}
