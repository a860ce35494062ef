import { Checkbox, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
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

export const forgeNames: Readonly<Record<Schemas['ForgeKind'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
};

/** Creates or edits a discovery job that follows the repositories of an organization, group, or user account. */
export function GroupForm({ job, save, submit, onCancel }: DiscoveryJobFormProps) {
  const {
    include = [],
    exclude = [],
    topics = [],
    languages = [],
    archived = false,
    forks = false,
  } = job?.repository_filter ?? {};
  const form = useForm({
    initialValues: {
      ...jobValues(job, suggestedSchedules.deployed),
      custom_extractors: toPatternRows((job ?? bodyDefaults.createDiscoveryJob).custom_extractors),
      group_url: job?.group_url ?? '',
      forge: job?.forge ?? '',
      repository_filter: { include, exclude, topics, languages, archived, forks },
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, (values) =>
    save({
      ...values,
      ...toJobRequest(values),
      custom_extractors: toCustomExtractors(values.custom_extractors),
      ...(job === undefined && { kind: 'repository_group' as const }),
      repository_url: null,
      ref: null,
      forge: values.forge === '' ? null : (values.forge as Schemas['ForgeKind']),
      name: values.name.trim() === '' ? nameOf(values.group_url) : values.name,
      credential_name: values.credential_name.trim() === '' ? null : values.credential_name,
    }),
  );
  const list = { splitChars: [',', ' '], acceptValueOnBlur: true };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={720}>
        <TextInput
          label="URL of the organization, group, or user"
          description="For example, https://github.com/acme."
          required
          spellCheck={false}
          {...form.getInputProps('group_url')}
        />
        <Select
          label="Platform"
          description="Leave empty if the host shows it, such as github.com or gitlab.example.com."
          data={Object.entries(forgeNames).map(([value, label]) => ({ value, label }))}
          clearable
          {...form.getInputProps('forge')}
        />
        <CredentialField
          description="Lists and reads the repositories. Leave empty for public repositories."
          {...form.getInputProps('credential_name')}
        />
        <TextInput
          label="Display name"
          description="Leave empty to use the name of the organization, group, or user."
          {...form.getInputProps('name')}
        />
        <TagsInput
          label="Repositories to include"
          description="For example, deploy-* or platform/. Press Enter after each. Leave empty for all repositories."
          {...list}
          {...form.getInputProps('repository_filter.include')}
        />
        <TagsInput
          label="Repositories to exclude"
          description="For example, sandbox-*."
          {...list}
          {...form.getInputProps('repository_filter.exclude')}
        />
        <TagsInput
          label="Topics"
          description="Only repositories with one of these topics."
          {...list}
          {...form.getInputProps('repository_filter.topics')}
        />
        <TagsInput
          label="Languages"
          description="Only repositories with one of these main languages. Not available for GitLab. Leave empty for all languages."
          splitChars={[',']}
          acceptValueOnBlur
          {...form.getInputProps('repository_filter.languages')}
        />
        <Checkbox
          label="Read archived repositories"
          {...form.getInputProps('repository_filter.archived', { type: 'checkbox' })}
        />
        <Checkbox
          label="Read forks"
          {...form.getInputProps('repository_filter.forks', { type: 'checkbox' })}
        />
        <DiscoveryJobFields
          form={form}
          include={{
            label: 'Paths to include',
            description: 'In each repository, such as clusters/prod/. Leave empty for all files.',
          }}
          exclude={{
            label: 'Paths to exclude',
            description: 'Dependencies, tests, documentation, and examples are always excluded.',
          }}
        />
        <CustomPatternFields form={form} />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Returns the path of a group from its URL. */
function nameOf(url: string): string {
  return url
    .trim()
    .replace(/^[a-z]+:\/\/[^/]*\/?/iu, '')
    .replace(/\/+$/u, '');
}
