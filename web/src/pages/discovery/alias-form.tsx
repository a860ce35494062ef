import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { normalizePrefix, problemOfAlias } from '../../../../src/domain/identity/artifact-aliases.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';

export type AliasValues = Schemas['CreateArtifactAliasRequest'];

/** Form with the fields of an artifact alias. */
export function AliasForm({
  alias,
  submit,
  save,
  onCancel,
}: {
  alias?: AliasValues;
  submit: string;
  save: (body: AliasValues) => Promise<void>;
  onCancel: () => void;
}) {
  const form = useForm({
    initialValues: {
      name: alias?.name ?? '',
      prefix: alias?.prefix ?? '',
      upstream_prefix: alias?.upstream_prefix ?? '',
      reads_mirror: alias?.reads_mirror ?? false,
    },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name.' : null),
      prefix: problemOfPrefix,
      upstream_prefix: (value, { prefix }) => problemOfPrefix(value) ?? problemOfPair(prefix, value),
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, save);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label="Address of the mirror"
          description="A host, or a host and a path, of images, charts, or Git repositories. Applies to everything below it. For example, harbor.example.com/dockerhub/."
          required
          {...form.getInputProps('prefix')}
        />
        <TextInput
          label="Address of the upstream"
          description="Replaces the address of the mirror. The rest stays the same. For example, docker.io/."
          required
          {...form.getInputProps('upstream_prefix')}
        />
        <Checkbox
          label="Read the mirror"
          description="Select this if an agent can reach the mirror. Accepted software then gets a second upstream source, and its monitors also show the newest version in your mirror."
          {...form.getInputProps('reads_mirror', { type: 'checkbox' })}
        />
        <FormActions submit={submit} isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

function problemOfPrefix(text: string): string | null {
  const prefix = normalizePrefix(text);
  return prefix.ok ? null : `The address ${prefix.message}.`;
}

function problemOfPair(mirror: string, upstream: string): string | null {
  const [prefix, upstreamPrefix] = [normalizePrefix(mirror), normalizePrefix(upstream)];
  if (!prefix.ok || !upstreamPrefix.ok) return null;
  const problem = problemOfAlias({ prefix: prefix.prefix, upstream_prefix: upstreamPrefix.prefix });
  return problem && `The address ${problem}.`;
}
