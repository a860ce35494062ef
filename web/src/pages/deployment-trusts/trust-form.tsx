import { Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { type FormErrors, useForm } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { DateTimeField } from '../../components/date-time-field.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { LabelEditor } from '../../components/label-editor.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { toDateTimeInput } from '../../ui/format.ts';

type Body = Schemas['CreateDeploymentTrustRequest'];
type Platform = 'github' | 'gitlab' | 'other';

/** Issuer and usual claims of each platform, and an example of a claim. */
const platforms: Readonly<
  Record<Platform, { label: string; issuer: string; claims: Body['claims']; example: string }>
> = {
  github: {
    label: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    claims: { repository: '', environment: '' },
    example: 'repository = acme/checkout',
  },
  gitlab: {
    label: 'GitLab CI',
    issuer: 'https://gitlab.com',
    claims: { project_path: '', ref: 'main', ref_type: 'branch' },
    example: 'project_path = acme/checkout',
  },
  other: { label: 'Other', issuer: '', claims: { sub: '' }, example: 'sub = acme/checkout' },
};

const claimNames = /^[A-Za-z][A-Za-z0-9_.:/-]*$/;
const star = 'Use * to match any characters except / and :.';

/** Form with the fields of a trust. */
export function TrustForm({
  trust,
  submit,
  save,
  onCancel,
}: {
  trust?: Schemas['DeploymentTrust'];
  submit: string;
  save: (body: Body) => Promise<void>;
  onCancel: () => void;
}) {
  const [platform, setPlatform] = useState<Platform>(trust ? 'other' : 'github');
  const form = useForm({
    initialValues: {
      name: trust?.name ?? '',
      issuer: trust?.issuer ?? platforms.github.issuer,
      claims: trust?.claims ?? platforms.github.claims,
      services: trust?.services ?? [],
      environments: trust?.environments ?? [],
      audience: trust?.audience ?? '',
      expires_at: trust?.expires_at ? toDateTimeInput(new Date(trust.expires_at)) : '',
    },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name.' : null),
      claims: (value) =>
        Object.values(value).includes('') ? 'Enter a value for each claim, or remove the claim.' : null,
      services: (value) => (value.length === 0 ? 'Enter at least one service.' : null),
      environments: (value) => (value.length === 0 ? 'Enter at least one environment.' : null),
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, ({ audience, expires_at, ...values }) => {
    const isUnchanged = trust?.expires_at && expires_at === toDateTimeInput(new Date(trust.expires_at));
    const ends = expires_at === '' ? null : new Date(expires_at).toISOString();
    return save({
      ...values,
      audience: audience.trim() === '' ? null : audience,
      expires_at: isUnchanged ? trust.expires_at : ends,
    });
  });
  const choosePlatform = (chosen: Platform) => {
    setPlatform(chosen);
    form.setFieldValue('issuer', platforms[chosen].issuer);
    form.setFieldValue('claims', platforms[chosen].claims);
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        {!trust && (
          <Select
            label="CI platform"
            data={Object.entries(platforms).map(([value, { label }]) => ({ value, label }))}
            allowDeselect={false}
            value={platform}
            onChange={(value) => choosePlatform(value as Platform)}
          />
        )}
        <TextInput
          label="Issuer"
          description="The URL in the iss claim of the ID tokens, exactly. Pacekeeper reads its public keys to verify the signature."
          required
          {...form.getInputProps('issuer')}
        />
        <LabelEditor
          key={platform}
          title="Claims"
          noun="claim"
          names={claimNames}
          description={`Claims that the ID token of the job must contain. One claim must identify the repository or its owner, such as ${platforms[platform].example}. ${star}`}
          value={form.values.claims}
          onChange={(claims) => form.setFieldValue('claims', claims)}
          error={errorOf(form.errors, 'claims')}
        />
        <TagsInput
          label="Services"
          description={`Services whose deployments the jobs can report. ${star}`}
          required
          {...form.getInputProps('services')}
          error={errorOf(form.errors, 'services')}
        />
        <TagsInput
          label="Environments"
          description={`Environments to which the jobs can report deployments. ${star}`}
          required
          {...form.getInputProps('environments')}
          error={errorOf(form.errors, 'environments')}
        />
        <TextInput
          label="Audience"
          description="The only audience that the ID tokens can have. Leave empty for the public URL of this server."
          {...form.getInputProps('audience')}
        />
        <DateTimeField
          label="Expires"
          description="Leave empty for no expiration."
          {...form.getInputProps('expires_at')}
        />
        <Text size="sm" c="dimmed">
          Each ID token works once, and only while it's valid. Tokens of pull requests and merge requests are
          always rejected, because their code can come from a fork. Saving the trust ends the tokens that were
          issued for it.
        </Text>
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Returns the error of a field or of its first invalid part. */
function errorOf(errors: FormErrors, field: string): React.ReactNode {
  return errors[field] ?? Object.entries(errors).find(([name]) => name.startsWith(`${field}.`))?.[1];
}
